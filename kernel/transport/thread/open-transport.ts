import type { BoundSocket, Publisher, Router, SocketOptions } from "../sockets/mod.ts";
import {
  bindPublisher,
  bindReplier,
  bindRouter,
  createCountingLog,
  createStrangers,
} from "../sockets/mod.ts";
import {
  type CreateHooks,
  checkSocket,
  type SocketMessage,
  type SocketPlan,
  type Transport,
  type TransportEvents,
  type TransportPlan,
} from "./transport.ts";

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
  const log = createCountingLog((line) => events.log?.(line));
  const common = {
    log,
    ...(plan.strangers === undefined ? {} : { strangers: createStrangers(plan.strangers) }),
  };
  const hooks = createHooks({
    data: plan.data,
    send,
    publish,
    trust: (socket, identity) => routers.get(socket)?.trust(identity),
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
      const subscribed = (prefix: Uint8Array): readonly Uint8Array[] | undefined =>
        guard(() => hooks.subscribed?.(name, prefix));
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
        binders[type](name, { ...options, ...common }),
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
