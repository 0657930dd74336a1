import { bindPublisher } from "./publisher.ts";
import { bindReplier } from "./replier.ts";
import { bindRouter } from "./router.ts";
import type { BoundSocket, Publisher, Router, SocketOptions } from "./socket.ts";

/** One socket of a plan; plain data, so that it can be sent to a worker. */
export interface SocketPlan extends Omit<SocketOptions, "log"> {
  readonly type: "router" | "publisher" | "replier";
}

/** The sockets to bind, by names of the caller's choice. */
export interface TransportPlan {
  readonly sockets: Readonly<Record<string, SocketPlan>>;
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
  /** A line about a connection that was ended for what its peer did, or about a failed hook. */
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
  log(line: string): void;
}

/** Message logic beside the sockets. */
export interface TransportHooks {
  /** Sees each message first; true keeps it from the owner. */
  received?(message: SocketMessage): boolean;
  /** A value that the owner posted. */
  posted?(value: unknown): void;
  /** A peer of a publisher has subscribed to a prefix. */
  subscribed?(socket: string, prefix: Uint8Array): void;
}

/** Makes the hooks of one transport. */
export type CreateHooks = (context: HookContext) => TransportHooks;

/** A transport in this thread, whose routers can be held back. */
export interface LocalTransport extends Transport {
  setReading(socket: string, reading: boolean): void;
}

/** Binds the sockets of a plan in this thread. */
export function openTransport(
  plan: TransportPlan,
  events: TransportEvents,
  createHooks: CreateHooks = () => ({}),
): LocalTransport {
  const routers = new Map<string, Router>();
  const publishers = new Map<string, Publisher>();
  const sockets = new Map<string, BoundSocket>();
  const log = (line: string): void => events.log?.(line);
  const hooks = createHooks({
    data: plan.data,
    send,
    publish,
    log,
    post: (value) => events.posted?.(value),
  });
  const binders: Record<
    SocketPlan["type"],
    (name: string, options: SocketOptions) => Promise<void>
  > = {
    router: async (name, options) => {
      const receive = (message: Omit<SocketMessage, "socket">): void =>
        dispatch({ socket: name, ...message });
      keep(name, await bindRouter({ ...options, receive }), routers);
    },
    publisher: async (name, options) => {
      const subscribed = (prefix: Uint8Array): void =>
        void guard(() => hooks.subscribed?.(name, prefix));
      keep(name, await bindPublisher({ ...options, subscribed }), publishers);
    },
    replier: async (name, options) => keep(name, await bindReplier(options), sockets),
  };
  const bound = bindAll();
  // Whoever does not ask for the endpoints is told of the failure by `close` or not at all.
  bound.catch(() => undefined);

  return {
    bound,
    send,
    publish,
    setReading: (socket, reading) =>
      reading ? routers.get(socket)?.resume() : routers.get(socket)?.pause(),
    post: (value) => void guard(() => hooks.posted?.(value)),
    close,
  };

  async function bindAll(): Promise<Readonly<Record<string, string>>> {
    const results = await Promise.allSettled(
      Object.entries(plan.sockets).map(([name, { type, ...options }]) =>
        binders[type](name, { ...options, log }),
      ),
    );
    const failure = results.find((result) => result.status === "rejected");
    if (failure !== undefined) {
      await closeAll(0);
      throw failure.reason;
    }
    return Object.fromEntries([...sockets].map(([name, { endpoint }]) => [name, endpoint]));
  }

  function keep<Kind extends BoundSocket>(
    name: string,
    socket: Kind,
    kind: Map<string, Kind>,
  ): void {
    sockets.set(name, socket);
    kind.set(name, socket);
  }

  function dispatch(message: SocketMessage): void {
    if (guard(() => hooks.received?.(message)) !== true) events.received(message);
  }

  function send(socket: string, identity: Uint8Array, frames: readonly Uint8Array[]): void {
    checkSocket(plan, socket, "router");
    routers.get(socket)?.send(identity, frames);
  }

  function publish(socket: string, frames: readonly Uint8Array[]): void {
    checkSocket(plan, socket, "publisher");
    publishers.get(socket)?.send(frames);
  }

  /** A fault in a hook must not end the thread that answers heartbeats. */
  function guard<Result>(hook: () => Result): Result | undefined {
    try {
      return hook();
    } catch (error) {
      log(
        `Hook failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      return undefined;
    }
  }

  async function close(linger?: number): Promise<void> {
    await bound.catch(() => undefined);
    await closeAll(linger);
  }

  async function closeAll(linger?: number): Promise<void> {
    await Promise.all([...sockets.values()].map((socket) => socket.close(linger)));
  }
}

/** @throws TypeError where the plan has no socket of that name and type. */
export function checkSocket(plan: TransportPlan, socket: string, type: SocketPlan["type"]): void {
  if (plan.sockets[socket]?.type === type) return;
  throw new TypeError(`Sending on "${socket}" failed: the plan has no ${type} of that name`);
}
