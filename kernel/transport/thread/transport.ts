import type { SocketOptions, StrangerLimits } from "../sockets/mod.ts";

/** One socket of a plan; plain data, so that it can be sent to a worker. */
export interface SocketPlan extends Omit<SocketOptions, "log" | "strangers"> {
  readonly type: "router" | "publisher" | "replier";
}

/** The sockets to bind, by names of the caller's choice. */
export interface TransportPlan {
  readonly sockets: Readonly<Record<string, SocketPlan>>;
  /** What peers may cost until a hook vouches for them; without it every peer is trusted. */
  readonly strangers?: StrangerLimits;
  /** Handed to the hooks; anything that structured cloning takes. */
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
export interface TransportSender {
  /** Answers a peer of a router; dropped where it is not connected any more. */
  send(socket: string, identity: Uint8Array, frames: readonly Uint8Array[]): void;
  /** Publishes to the subscribers of a publisher. */
  publish(socket: string, frames: readonly Uint8Array[]): void;
}

/** Sockets at work, in this thread or in a worker. */
export interface Transport extends TransportSender {
  /** The real endpoint of each socket; rejects with an EndpointError where one cannot be bound. */
  readonly bound: Promise<Readonly<Record<string, string>>>;
  /** Hands a value to the hooks. */
  post(value: unknown): void;
  /**
   * Sends what is queued and ends everything.
   *
   * @param linger Milliseconds that peers have to take what is queued; 1,000 by default.
   */
  close(linger?: number): Promise<void>;
}

/** What the owner of a transport is told. */
export interface TransportEvents {
  /** A message that no hook kept. */
  received(message: SocketMessage): void;
  /** A value that a hook posted. */
  posted?(value: unknown): void;
  /**
   * A line about a connection that was ended for what its peer did, or about a failed hook. One that
   * comes again is counted, and told at the 10th, 100th, 1,000th time.
   */
  log?(line: string): void;
  /** The worker has ended without being asked to; nothing is sent or received any more. */
  failed?(error: Error): void;
}

/** What a hook may do; it runs in the thread of the sockets, also while the owner computes. */
export interface HookContext extends TransportSender {
  /** The `data` of the plan. */
  readonly data: unknown;
  /** Hands a value to the owner. */
  post(value: unknown): void;
  /** Vouches for a peer of a router. */
  trust(socket: string, identity: Uint8Array): void;
  log(line: string): void;
}

/** Message logic beside the sockets. */
export interface TransportHooks {
  /**
   * Sees each message first; true keeps it from the owner. Where it is not kept, its frames may
   * not be read any more afterwards: large ones are handed to the other thread.
   */
  received?(message: SocketMessage): boolean;
  /** A value that the owner posted. */
  posted?(value: unknown): void;
  /** A peer of a publisher has subscribed to a prefix; gives what to send to that peer alone. */
  subscribed?(socket: string, prefix: Uint8Array): readonly Uint8Array[] | undefined;
}

/** Makes the hooks of one transport. */
export type CreateHooks = (context: HookContext) => TransportHooks;

/** @throws TypeError where the plan has no socket of that name and type. */
export function checkSocket(plan: TransportPlan, socket: string, type: SocketPlan["type"]): void {
  if (plan.sockets[socket]?.type === type) return;
  throw new TypeError(`Sending on "${socket}" failed: the plan has no ${type} of that name`);
}
