import type { SocketOptions } from "./bound-socket.ts";

/** One socket of a plan; plain data, so that it can be sent to a worker. */
export interface SocketPlan extends Omit<SocketOptions, "log" | "untrusted"> {
  readonly type: "router" | "publisher" | "replier";
}

/** The sockets to bind, by names that the caller chooses. */
export interface TransportPlan {
  readonly sockets: Readonly<Record<string, SocketPlan>>;
  /** Limits of peers until a hook trusts them; without it every peer is trusted. */
  readonly untrusted?: UntrustedPeerLimits;
  /** Passed to the hooks; anything that can be cloned. */
  readonly data?: unknown;
}

/** A message that one of the routers received. */
export interface SocketMessage {
  /** The router's name in the plan. */
  readonly socket: string;
  readonly identity: Uint8Array;
  readonly frames: readonly Uint8Array[];
}

/** Sends on the sockets of a plan. */
interface TransportSender {
  /** Replies to a peer of a router; dropped if it is not connected any more. */
  send(socket: string, identity: Uint8Array, frames: readonly Uint8Array[]): void;
  /** Publishes to the subscribers of a publisher. */
  publish(socket: string, frames: readonly Uint8Array[]): void;
}

/** The sockets of a plan, in this thread or in a worker. */
export interface Transport extends TransportSender {
  /** The endpoint of each socket, with its port; rejects with an EndpointError if one cannot be bound. */
  readonly bound: Promise<Readonly<Record<string, string>>>;
  /**
   * Passes a value to the hooks.
   *
   * @param cost How many of the bytes that may be in flight to a worker it takes.
   */
  post(value: unknown, cost?: number): void;
  /**
   * Sends what is queued and ends everything.
   *
   * @param linger Milliseconds that peers have to read what is queued; 1,000 by default.
   */
  close(linger?: number): Promise<void>;
}

/** The events of a transport, for its owner. */
export interface TransportEvents {
  /** A message that no hook handled. */
  received(message: SocketMessage): void;
  /** A value that a hook posted. */
  posted?(value: unknown): void;
  /**
   * A line about a connection that was ended because of its peer, or about a failed hook. A repeated
   * line is reported the 10th, 100th and 1,000th time.
   */
  log?(line: string): void;
  /** The worker has ended unexpectedly; nothing is sent or received any more. */
  failed?(error: Error): void;
}

/** What hooks can use. They run in the thread of the sockets, also while the owner computes. */
export interface HookContext extends TransportSender {
  /** The `data` of the plan. */
  readonly data: unknown;
  /** Passes a value to the owner. */
  post(value: unknown): void;
  /** Trusts a peer of a router from now on. */
  trust(socket: string, identity: Uint8Array): void;
  log(line: string): void;
}

/** Handles messages in the thread of the sockets. */
export interface TransportHooks {
  /**
   * Gets each message first; true keeps it from the owner. The frames of any other message must not be
   * read afterwards: large ones are transferred to the other thread.
   */
  received?(message: SocketMessage): boolean;
  /** A value that the owner posted. */
  posted?(value: unknown): void;
  /** A peer of a publisher has subscribed to a prefix; returns what to send to that peer alone. */
  subscribed?(socket: string, prefix: Uint8Array): readonly Uint8Array[] | undefined;
}

/** Creates the hooks of one transport. */
export type CreateHooks = (context: HookContext) => TransportHooks;

/** @throws TypeError if the plan has no socket of that name and type. */
export function checkSocket(plan: TransportPlan, socket: string, type: SocketPlan["type"]): void {
  if (plan.sockets[socket]?.type === type) return;
  throw new TypeError(`Sending on "${socket}" failed: the plan has no ${type} of that name`);
}

/** What peers may cost until they are trusted. */
export interface UntrustedPeerLimits {
  /** Bytes of a message of one of them. */
  readonly messageSize: number;
  /** Bytes of the unfinished messages of all of them, on all sockets. */
  readonly totalSize: number;
  /** How many of them one socket serves. */
  readonly peers: number;
}

interface Peer {
  /** Bytes of its unfinished message. */
  readonly held: number;
  destroy(reason: string): void;
}

/** Limits the unfinished messages of untrusted peers, on all sockets of a transport. */
export class UntrustedPeers {
  readonly limits: UntrustedPeerLimits;
  readonly #held = new Map<Peer, number>();
  #total = 0;

  constructor(limits: UntrustedPeerLimits) {
    this.limits = limits;
  }

  /** Counts what a peer holds now. If the sum is too large, the peers that hold the most are ended. */
  count(peer: Peer): void {
    this.forget(peer);
    if (peer.held === 0) return;
    this.#held.set(peer, peer.held);
    this.#total += peer.held;
    while (this.#total > this.limits.totalSize) this.#endLargest();
  }

  /** Stops counting a peer that has become trusted or disconnected. */
  forget(peer: Peer): void {
    this.#total -= this.#held.get(peer) ?? 0;
    this.#held.delete(peer);
  }

  /** The largest, since the first message of a front end is small: it survives while others flood. */
  #endLargest(): void {
    const [[largest] = []] = [...this.#held].sort(([, one], [, other]) => other - one);
    if (largest === undefined) return;
    this.forget(largest);
    largest.destroy(
      `Its unfinished message and those of other untrusted peers exceed ${this.limits.totalSize} bytes`,
    );
  }
}
