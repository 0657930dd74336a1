import { clearTimeout, setTimeout } from "node:timers";
import {
  type Connection,
  type ConnectionHandlers,
  openConnection,
  type Role,
} from "./connection.ts";
import { parseEndpoint, renderEndpoint } from "./endpoint.ts";
import { listen } from "./listen.ts";
import type { BoundSocket, HighWaterMark, SocketOptions } from "./socket.ts";

/** What the three roles build on: a listener and its peers. */
export interface PeerSet extends BoundSocket {
  /** The peers whose handshake is complete. */
  readonly ready: ReadonlySet<Connection>;
  /** The peer is no stranger any more. */
  trust(connection: Connection): void;
}

/** What a role does about its connections. */
export type PeerHandlers = Omit<ConnectionHandlers, "read">;

/** Kept for each peer. */
export const DEFAULT_MARK: HighWaterMark = { messages: 100_000, bytes: 64 * 1024 * 1024 };
const DEFAULT_MESSAGE_SIZE = 256 * 1024 * 1024;
const DEFAULT_HANDSHAKE_TIMEOUT = 30_000;
const DEFAULT_LINGER = 1000;

/** Binds an endpoint and serves its peers in a role. */
export async function bindSocket(
  options: SocketOptions,
  role: Role,
  handlers: PeerHandlers,
): Promise<PeerSet> {
  const { strangers, maximumMessageSize = DEFAULT_MESSAGE_SIZE } = options;
  const limits = {
    maximumMessageSize,
    strangerMessageSize: Math.min(strangers?.limits.messageSize ?? Infinity, maximumMessageSize),
    highWaterMark: options.highWaterMark ?? DEFAULT_MARK,
    handshakeTimeout: options.handshakeTimeout ?? DEFAULT_HANDSHAKE_TIMEOUT,
  };
  const open = new Set<Connection>();
  const ready = new Set<Connection>();
  // In the order in which they came.
  const unknown = new Set<Connection>();
  let closed: Promise<void> | undefined;
  let onEmpty = (): void => undefined;

  const observed: ConnectionHandlers = {
    ...handlers,
    ready(connection) {
      handlers.ready(connection);
      ready.add(connection);
    },
    read(connection) {
      if (unknown.has(connection)) strangers?.count(connection);
    },
    closed(connection, reason) {
      open.delete(connection);
      forget(connection);
      if (ready.delete(connection)) handlers.closed(connection, reason);
      if (reason !== undefined && closed === undefined) {
        options.log?.(`${role.type} ${endpoint}: ${reason}`);
      }
      if (open.size === 0) onEmpty();
    },
  };
  const listener = await listen(parseEndpoint(options.endpoint), (socket) => {
    if (closed === undefined) admit(openConnection(socket, role, limits, observed));
    else socket.destroy();
  });
  const endpoint = renderEndpoint(listener.endpoint);

  return {
    endpoint,
    ready,
    get peers() {
      return ready.size;
    },
    trust,
    close,
  };

  function admit(connection: Connection): void {
    open.add(connection);
    if (strangers === undefined) return;
    unknown.add(connection);
    if (unknown.size <= strangers.limits.peers) return;
    // A front end that comes is trusted at once where it can be. A subscriber never is: those that
    // are there keep their places, for what is published while they connect again is lost to them.
    const isTooMuch = (peer: Connection): boolean => role.type !== "PUB" || !ready.has(peer);
    const ended = [...unknown].find(isTooMuch);
    ended?.destroy(`More than ${strangers.limits.peers} peers are untrusted`);
    if (ended !== undefined) forget(ended);
  }

  function trust(connection: Connection): void {
    forget(connection);
    connection.trust();
  }

  function forget(connection: Connection): void {
    unknown.delete(connection);
    strangers?.forget(connection);
  }

  function close(linger = DEFAULT_LINGER): Promise<void> {
    closed ??= endAll(linger);
    return closed;
  }

  async function endAll(linger: number): Promise<void> {
    await listener.close();
    if (open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        for (const connection of open) connection.destroy("The socket is closed");
        resolve();
      }, linger);
      onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
      for (const connection of open) connection.end();
    });
  }
}
