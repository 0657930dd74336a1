import { clearTimeout, setTimeout } from "node:timers";
import { listen } from "./bind.ts";
import {
  Connection,
  type ConnectionHandlers,
  type ConnectionLimits,
  type Role,
} from "./connection.ts";
import { parseEndpoint, renderEndpoint } from "./endpoint.ts";
import type { UntrustedPeers } from "./transport.ts";

/** The limits of what is queued for each peer. */
export const DEFAULT_MARK: HighWaterMark = { messages: 100_000, bytes: 64 * 1024 * 1024 };
const DEFAULT_MESSAGE_SIZE = 256 * 1024 * 1024;
const DEFAULT_HANDSHAKE_TIMEOUT = 30_000;
const DEFAULT_LINGER = 1000;

/** How a type of socket handles its connections. */
type PeerHandlers = Omit<ConnectionHandlers, "read">;

/** Binds an endpoint and serves its peers. */
export async function bindSocket(
  options: SocketOptions,
  role: Role,
  handlers: PeerHandlers,
): Promise<PeerSet> {
  const peers = new PeerSet(options, role, handlers);
  await peers.listen();
  return peers;
}

/** A listener and its peers: what ROUTER, PUB and REP have in common. */
class PeerSet implements BoundSocket {
  endpoint = "";
  /** The peers whose handshake is complete. */
  readonly ready: Set<Connection> = new Set();
  readonly #options: SocketOptions;
  readonly #role: Role;
  readonly #handlers: PeerHandlers;
  readonly #open = new Set<Connection>();
  /** In the order in which they connected. */
  readonly #untrusted = new Set<Connection>();
  #stopListening = async (): Promise<void> => undefined;
  #closed: Promise<void> | undefined;
  #onEmpty = (): void => undefined;

  constructor(options: SocketOptions, role: Role, handlers: PeerHandlers) {
    this.#options = options;
    this.#role = role;
    this.#handlers = handlers;
  }

  get peers(): number {
    return this.ready.size;
  }

  async listen(): Promise<void> {
    const endpoint = parseEndpoint(this.#options.endpoint);
    const limits = toLimits(this.#options);
    const handlers: ConnectionHandlers = {
      ...this.#handlers,
      ready: (connection) => {
        this.#handlers.ready(connection);
        this.ready.add(connection);
      },
      read: (connection) => {
        if (this.#untrusted.has(connection)) this.#options.untrusted?.count(connection);
      },
      closed: (connection, reason) => this.#onClosed(connection, reason),
    };
    const listener = await listen(endpoint, (socket) => {
      if (this.#closed === undefined)
        this.#add(new Connection(socket, this.#role, limits, handlers));
      else socket.destroy();
    });
    this.endpoint = renderEndpoint(listener.endpoint);
    this.#stopListening = listener.close;
  }

  trust(connection: Connection): void {
    this.#forget(connection);
    connection.trust();
  }

  close(linger: number = DEFAULT_LINGER): Promise<void> {
    this.#closed ??= this.#endAll(linger);
    return this.#closed;
  }

  #add(connection: Connection): void {
    this.#open.add(connection);
    const { untrusted } = this.#options;
    if (untrusted === undefined) return;
    this.#untrusted.add(connection);
    if (this.#untrusted.size <= untrusted.limits.peers) return;
    // A front end is trusted with its first message. A subscriber never is, and one that is ready
    // stays: it would miss what is published while it reconnects.
    const mayEnd = (peer: Connection): boolean =>
      this.#role.type !== "PUB" || !this.ready.has(peer);
    const ended = [...this.#untrusted].find(mayEnd);
    ended?.destroy(`More than ${untrusted.limits.peers} peers are untrusted`);
    if (ended !== undefined) this.#forget(ended);
  }

  #forget(connection: Connection): void {
    this.#untrusted.delete(connection);
    this.#options.untrusted?.forget(connection);
  }

  #onClosed(connection: Connection, reason: string | undefined): void {
    this.#open.delete(connection);
    this.#forget(connection);
    if (this.ready.delete(connection)) this.#handlers.closed(connection, reason);
    if (reason !== undefined && this.#closed === undefined) {
      this.#options.log?.(`${this.#role.type} ${this.endpoint}: ${reason}`);
    }
    if (this.#open.size === 0) this.#onEmpty();
  }

  async #endAll(linger: number): Promise<void> {
    await this.#stopListening();
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        for (const connection of this.#open) connection.destroy("The socket is closed");
        resolve();
      }, linger);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
      for (const connection of this.#open) connection.end();
    });
  }
}

function toLimits({
  untrusted,
  maximumMessageSize = DEFAULT_MESSAGE_SIZE,
  highWaterMark = DEFAULT_MARK,
  handshakeTimeout = DEFAULT_HANDSHAKE_TIMEOUT,
}: SocketOptions): ConnectionLimits {
  const untrustedMessageSize = Math.min(
    untrusted?.limits.messageSize ?? Infinity,
    maximumMessageSize,
  );
  return { maximumMessageSize, untrustedMessageSize, highWaterMark, handshakeTimeout };
}

/** How much may be queued for one peer; the mark is reached at either number. */
export interface HighWaterMark {
  readonly messages: number;
  readonly bytes: number;
}

/** Options that every socket has. */
export interface SocketOptions {
  /** `tcp://host:port` (port 0 picks a free one, host `*` is every interface) or `ipc://path`. */
  readonly endpoint: string;
  /** Bytes of the largest message accepted from a peer, all frames together; 256 MiB by default. */
  readonly maximumMessageSize?: number;
  /** For each peer; 100,000 messages or 64 MiB by default. One message may exceed it. */
  readonly highWaterMark?: HighWaterMark;
  /** Milliseconds from the connection of a peer to its READY; 30,000 by default, as in libzmq. */
  readonly handshakeTimeout?: number;
  /** Limits peers until they are trusted; without it every peer is trusted. */
  readonly untrusted?: UntrustedPeers;
  /** Called with a line about each connection that was ended because of its peer. */
  readonly log?: (line: string) => void;
}

/** A bound socket. */
export interface BoundSocket {
  /** The endpoint, with the port that was assigned. */
  readonly endpoint: string;
  /** Peers whose handshake is complete. */
  readonly peers: number;
  /**
   * Stops listening, sends what is queued and ends all connections.
   *
   * @param linger Milliseconds that peers have to read what is queued; 1,000 by default.
   */
  close(linger?: number): Promise<void>;
}

/** A message that a router received. */
export interface RoutedMessage {
  /** The identity to reply to: the peer's own, or five generated bytes that begin with 0. */
  readonly identity: Uint8Array;
  readonly frames: readonly Uint8Array[];
}

/**
 * Receives from many peers and answers each by its identity.
 *
 * No single reply is ever dropped: at half of the high-water mark nothing more is read from a peer, so
 * that it cannot cause more replies, and at the mark it is disconnected. (libzmq silently drops single
 * messages there, which leaves a front end waiting for one reply for ever.)
 */
export interface Router extends BoundSocket {
  /**
   * Queues a message for one peer. The frames must not be written to afterwards.
   *
   * @returns False if no such peer is connected; the message is dropped then.
   */
  send(identity: Uint8Array, frames: readonly Uint8Array[]): boolean;
  /** Trusts a peer from now on. */
  trust(identity: Uint8Array): void;
  /** Stops reading from every peer, also from those that connect later. */
  pause(): void;
  /** Reads again after `pause`. */
  resume(): void;
}

/**
 * Sends to all who subscribed to a prefix of the first frame. A subscriber that reads slowly loses
 * the messages beyond its high-water mark and does not delay the others (RFC 29).
 */
export interface Publisher extends BoundSocket {
  /** Queues a message for the subscribers. The frames must not be written to afterwards. */
  send(frames: readonly Uint8Array[]): void;
}
