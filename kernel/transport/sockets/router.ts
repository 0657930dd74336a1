import { encodeMessage, latin1, ProtocolError } from "../zmtp/mod.ts";
import { bindSocket } from "./bound-socket.ts";
import type { Connection } from "./connection.ts";
import type { RoutedMessage, Router, SocketOptions } from "./socket.ts";

/** What a router is bound with. */
export interface RouterOptions extends SocketOptions {
  /** Called for each message, in the order of each peer. */
  readonly receive: (message: RoutedMessage) => void;
}

/** From this level of a peer's queue on nothing is read from it, below the other it is read again. */
const STOP_READING = 0.5;
const READ_AGAIN = 0.25;

/**
 * Binds a ROUTER. A second peer with the identity of a connected one is refused, as by libzmq.
 *
 * @throws EndpointError where the endpoint cannot be bound.
 */
export function bindRouter(options: RouterOptions): Promise<Router> {
  return bindRoutingSocket(options, {
    type: "ROUTER",
    peers: ["DEALER", "REQ", "ROUTER"],
  });
}

/** A ROUTER by another name: REP is one as well. */
export async function bindRoutingSocket(
  options: RouterOptions,
  role: { readonly type: "ROUTER" | "REP"; readonly peers: readonly string[] },
): Promise<Router> {
  const peers = new Map<string, Connection>();
  const identities = new Map<Connection, Uint8Array>();
  const held = new Set<Connection>();
  let paused = false;
  let generated = Math.trunc(Math.random() * 0x1_0000_0000);

  const socket = await bindSocket(options, role, {
    ready(connection) {
      const identity = connection.identity.length > 0 ? connection.identity : generateIdentity();
      const key = latin1(identity);
      if (peers.has(key)) {
        throw new ProtocolError("Handshake failed: a peer with this identity is connected");
      }
      peers.set(key, connection);
      identities.set(connection, identity);
      setReading(connection);
    },
    message(connection, frames) {
      const identity = identities.get(connection);
      if (identity !== undefined) options.receive({ identity: identity.slice(), frames });
    },
    command: () => undefined,
    drained(connection) {
      if (!held.has(connection) || connection.level() > READ_AGAIN) return;
      held.delete(connection);
      setReading(connection);
    },
    closed(connection) {
      const identity = identities.get(connection);
      if (identity !== undefined) peers.delete(latin1(identity));
      identities.delete(connection);
      held.delete(connection);
    },
  });

  return {
    endpoint: socket.endpoint,
    get peers() {
      return socket.peers;
    },
    close: socket.close,
    send,
    trust: (identity) => {
      const connection = peers.get(latin1(identity));
      if (connection !== undefined) socket.trust(connection);
    },
    pause: () => setPaused(true),
    resume: () => setPaused(false),
  };

  function send(identity: Uint8Array, frames: readonly Uint8Array[]): boolean {
    const connection = peers.get(latin1(identity));
    if (connection === undefined || frames.length === 0) return false;
    if (connection.level() >= 1) {
      connection.destroy("Too many replies wait for a peer that does not read");
      return false;
    }
    connection.send(encodeMessage(frames));
    if (connection.level() >= STOP_READING && !held.has(connection)) {
      held.add(connection);
      setReading(connection);
    }
    return true;
  }

  function setPaused(value: boolean): void {
    if (paused === value) return;
    paused = value;
    for (const connection of socket.ready) setReading(connection);
  }

  function setReading(connection: Connection): void {
    connection.setReading(!paused && !held.has(connection));
  }

  /** Five bytes beginning with 0, which no peer may choose for itself (RFC 28). */
  function generateIdentity(): Uint8Array {
    const identity = new Uint8Array(5);
    do {
      generated = (generated + 1) >>> 0;
      new DataView(identity.buffer).setUint32(1, generated);
    } while (peers.has(latin1(identity)));
    return identity;
  }
}
