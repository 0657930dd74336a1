import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { Connection, type Limits, type Role, type UnverifiedPeers } from "./connection.ts";
import { renderEndpoint } from "./endpoint.ts";
import { type Listener, listen } from "./listen.ts";

/** Options that every socket has. */
export interface SocketOptions extends Partial<Limits> {
  /** `tcp://host:port` (port 0 picks a free one, host `*` is every interface) or `ipc://path`. */
  readonly endpoint: string;
  /** Limits peers until one of their messages was verified; without it every peer counts as verified. */
  readonly unverified?: UnverifiedPeers;
  /** Called with a line about each connection that was ended because of its peer. */
  readonly log?: (line: string) => void;
}

const DEFAULT_LIMITS: Limits = {
  messageSize: 256 * 1024 * 1024,
  queueSize: 64 * 1024 * 1024,
  // As in libzmq.
  handshakeTimeout: 30_000,
};
const DEFAULT_LINGER = 1000;

/** A listener and its peers: what ROUTER, PUB and REP have in common. */
export abstract class BoundSocket {
  /** The endpoint, with the port that was assigned. */
  endpoint = "";
  readonly #role: Role;
  readonly #options: SocketOptions;
  readonly #limits: Limits;
  readonly #open = new Set<Connection>();
  readonly #ready = new Set<Connection>();
  #listener: Listener | undefined;
  #closed: Promise<void> | undefined;
  #onEmpty = (): void => undefined;

  constructor(role: Role, options: SocketOptions) {
    this.#role = role;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options };
  }

  /** Peers whose handshake is complete. */
  get peers(): number {
    return this.#ready.size;
  }

  /** @throws EndpointError if the endpoint cannot be bound. */
  async listen(): Promise<void> {
    this.#listener = await listen(this.#options.endpoint, (socket) => this.#accept(socket));
    this.endpoint = renderEndpoint(this.#listener.endpoint);
  }

  /** Accepts no more peers, and removes the file of an `ipc` endpoint; those that are connected stay. */
  stopListening(): void {
    this.#listener?.close();
  }

  /**
   * Stops listening, sends what is queued and ends all connections.
   *
   * @param linger Milliseconds that peers have to read what is queued; 1,000 by default.
   */
  close(linger: number = DEFAULT_LINGER): Promise<void> {
    this.#closed ??= this.#endAll(linger);
    return this.#closed;
  }

  protected abstract onReady(connection: Connection): void;
  protected abstract onMessage(connection: Connection, frames: readonly Uint8Array[]): void;
  protected abstract onClosed(connection: Connection): void;

  #accept(socket: Socket): void {
    if (this.#closed !== undefined) {
      socket.destroy();
      return;
    }
    const events = {
      ready: (connection: Connection) => {
        this.onReady(connection);
        this.#ready.add(connection);
      },
      message: (connection: Connection, frames: readonly Uint8Array[]) =>
        this.onMessage(connection, frames),
      closed: (connection: Connection, reason: string | undefined) =>
        this.#forget(connection, reason),
    };
    const { unverified } = this.#options;
    this.#open.add(new Connection(socket, this.#role, this.#limits, events, unverified));
  }

  #forget(connection: Connection, reason: string | undefined): void {
    this.#open.delete(connection);
    if (this.#ready.delete(connection)) this.onClosed(connection);
    if (reason !== undefined && this.#closed === undefined) {
      this.#options.log?.(`${this.#role.type} ${this.endpoint}: ${reason}`);
    }
    if (this.#open.size === 0) this.#onEmpty();
  }

  async #endAll(linger: number): Promise<void> {
    this.stopListening();
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
