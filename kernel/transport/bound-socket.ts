import { clearTimeout, setTimeout } from "node:timers";
import {
  type Connection,
  type ConnectionHandlers,
  openConnection,
  type Role,
} from "./connection.ts";
import { parseEndpoint, renderEndpoint } from "./endpoint.ts";
import { listen } from "./listen.ts";
import type { BoundSocket, SocketOptions } from "./socket.ts";

/** What the three roles build on: a listener and its peers. */
export interface PeerSet extends BoundSocket {
  /** The peers whose handshake is complete. */
  readonly ready: ReadonlySet<Connection>;
}

const DEFAULT_MARK = { messages: 100_000, bytes: 64 * 1024 * 1024 };
const DEFAULT_MESSAGE_SIZE = 256 * 1024 * 1024;
const DEFAULT_HANDSHAKE_TIMEOUT = 30_000;
const DEFAULT_LINGER = 1000;

/** Binds an endpoint and serves its peers in a role. */
export async function bindSocket(
  options: SocketOptions,
  role: Role,
  handlers: ConnectionHandlers,
): Promise<PeerSet> {
  const limits = {
    maximumMessageSize: options.maximumMessageSize ?? DEFAULT_MESSAGE_SIZE,
    highWaterMark: options.highWaterMark ?? DEFAULT_MARK,
    handshakeTimeout: options.handshakeTimeout ?? DEFAULT_HANDSHAKE_TIMEOUT,
  };
  const open = new Set<Connection>();
  const ready = new Set<Connection>();
  let closed: Promise<void> | undefined;
  let onEmpty = (): void => undefined;

  const observed: ConnectionHandlers = {
    ...handlers,
    ready(connection) {
      handlers.ready(connection);
      ready.add(connection);
    },
    closed(connection, reason) {
      open.delete(connection);
      if (ready.delete(connection)) handlers.closed(connection, reason);
      if (reason !== undefined && closed === undefined) {
        options.log?.(`${role.type} ${endpoint}: ${reason}`);
      }
      if (open.size === 0) onEmpty();
    },
  };
  const listener = await listen(parseEndpoint(options.endpoint), (socket) => {
    if (closed !== undefined) socket.destroy();
    else open.add(openConnection(socket, role, limits, observed));
  });
  const endpoint = renderEndpoint(listener.endpoint);

  return {
    endpoint,
    ready,
    get peers() {
      return ready.size;
    },
    close,
  };

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
