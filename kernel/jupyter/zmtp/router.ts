import { randomBytes } from "node:crypto";
import {
  type BoundSocket,
  bindSocket,
  type RoutedMessage,
  type Router,
  type SocketOptions,
} from "./bound-socket.ts";
import type { Connection, Role } from "./connection.ts";
import { ProtocolError } from "./endpoint.ts";
import { encodeMessage, latin1 } from "./frame.ts";

/** Options of {@link bindRouter}. */
interface RouterOptions extends SocketOptions {
  /** Called for each message; those of one peer come in order. */
  readonly receive: (message: RoutedMessage) => void;
}

/** The levels of a peer's queue at which reading from it stops, and resumes. */
const STOP_READING = 0.5;
const RESUME_READING = 0.25;

/**
 * Binds a ROUTER. A second peer with the identity of a connected one is refused, as in libzmq.
 *
 * @throws EndpointError if the endpoint cannot be bound.
 */
export function bindRouter(options: RouterOptions): Promise<Router> {
  return bindRoutingSocket(options, { type: "ROUTER", peers: ["DEALER", "REQ", "ROUTER"] });
}

/**
 * Binds a REP that sends each request back at once, as a heartbeat does. A request without an
 * envelope, which some DEALER clients send as a heartbeat, is answered without one as in ipykernel;
 * libzmq's REP would drop it.
 *
 * @throws EndpointError if the endpoint cannot be bound.
 */
export async function bindReplier(options: SocketOptions): Promise<BoundSocket> {
  const router: Router = await bindRoutingSocket(
    { ...options, receive: ({ identity, frames }) => void router.send(identity, frames) },
    { type: "REP", peers: ["REQ", "DEALER"] },
  );
  return router;
}

async function bindRoutingSocket(options: RouterOptions, role: Role): Promise<Router> {
  const peers = new Map<string, Connection>();
  const reading = new ReadingControl();
  const find = (identity: Uint8Array): Connection | undefined => peers.get(latin1(identity));

  const socket = await bindSocket(options, role, {
    ready(connection) {
      if (connection.identity.length === 0) connection.identity = generateIdentity(peers);
      const key = latin1(connection.identity);
      if (peers.has(key)) {
        throw new ProtocolError("Handshake failed: a peer with this identity is connected");
      }
      peers.set(key, connection);
      reading.update(connection);
    },
    message: ({ identity }, frames) => options.receive({ identity: identity.slice(), frames }),
    drained: (connection) => reading.update(connection),
    closed(connection) {
      peers.delete(latin1(connection.identity));
      reading.forget(connection);
    },
  });

  return {
    endpoint: socket.endpoint,
    get peers() {
      return socket.peers;
    },
    close: (linger) => socket.close(linger),
    send: (identity, frames) => {
      const connection = find(identity);
      if (connection === undefined || frames.length === 0) return false;
      if (connection.level >= 1) {
        connection.destroy("Too many replies wait for a peer that does not read");
        return false;
      }
      connection.send(encodeMessage(frames));
      reading.update(connection);
      return true;
    },
    trust: (identity) => {
      const connection = find(identity);
      if (connection !== undefined) socket.trust(connection);
    },
    pause: () => reading.pauseAll(socket.ready, true),
    resume: () => reading.pauseAll(socket.ready, false),
  };
}

/** Stops reading from peers that read slowly, until they have caught up, and from all while paused. */
class ReadingControl {
  readonly #slow = new Set<Connection>();
  #isPaused = false;

  update(connection: Connection): void {
    if (connection.level >= STOP_READING) this.#slow.add(connection);
    else if (connection.level <= RESUME_READING) this.#slow.delete(connection);
    connection.setReading(!this.#isPaused && !this.#slow.has(connection));
  }

  forget(connection: Connection): void {
    this.#slow.delete(connection);
  }

  pauseAll(connections: Iterable<Connection>, isPaused: boolean): void {
    this.#isPaused = isPaused;
    for (const connection of connections) this.update(connection);
  }
}

/** Five bytes beginning with 0, which no peer may choose for itself (RFC 28). */
function generateIdentity(peers: ReadonlyMap<string, unknown>): Uint8Array {
  const identity = Uint8Array.from([0, ...randomBytes(4)]);
  return peers.has(latin1(identity)) ? generateIdentity(peers) : identity;
}
