import type { BoundSocket, Publisher, Router, SocketOptions } from "./bound-socket.ts";
import { createCountingLog } from "./counting-log.ts";
import { bindPublisher } from "./publisher.ts";
import { bindReplier, bindRouter } from "./router.ts";
import {
  type CreateHooks,
  checkSocket,
  type SocketMessage,
  type SocketPlan,
  type Transport,
  type TransportEvents,
  type TransportPlan,
  UntrustedPeers,
} from "./transport.ts";

/** A transport in this thread, whose routers can be paused. */
interface LocalTransport extends Transport {
  setReading(socket: string, reading: boolean): void;
}

/** Binds the sockets of a plan in this thread. */
export function openTransport(
  plan: TransportPlan,
  events: TransportEvents,
  createHooks: CreateHooks = () => ({}),
): LocalTransport {
  const log = createCountingLog((line) => events.log?.(line));

  /** An error in a hook must not end the thread that answers heartbeats. */
  function guard<Result>(hook: () => Result): Result | undefined {
    try {
      return hook();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log(`Hook failed: ${text}`);
      return undefined;
    }
  }

  const sockets: PlannedSockets = new PlannedSockets(plan, {
    log,
    received: (message) => {
      if (guard(() => hooks.received?.(message)) !== true) events.received(message);
    },
    subscribed: (socket, prefix) => guard(() => hooks.subscribed?.(socket, prefix)),
  });
  const sender = {
    send: (socket: string, identity: Uint8Array, frames: readonly Uint8Array[]): void =>
      void sockets.router(socket)?.send(identity, frames),
    publish: (socket: string, frames: readonly Uint8Array[]): void =>
      sockets.publisher(socket)?.send(frames),
  };
  const hooks = createHooks({
    ...sender,
    data: plan.data,
    trust: (socket, identity) => sockets.router(socket)?.trust(identity),
    log,
    post: (value) => events.posted?.(value),
  });
  return {
    ...sender,
    bound: sockets.bound,
    setReading: (socket, reading) => {
      const router = sockets.router(socket);
      if (reading) router?.resume();
      else router?.pause();
    },
    post: (value) => void guard(() => hooks.posted?.(value)),
    close: (linger) => sockets.close(linger),
  };
}

interface SocketEvents {
  received(message: SocketMessage): void;
  subscribed(socket: string, prefix: Uint8Array): readonly Uint8Array[] | undefined;
  log(line: string): void;
}

/** The sockets of a plan, by name. */
class PlannedSockets {
  /** The endpoint of each socket; rejects if one cannot be bound. */
  readonly bound: Promise<Readonly<Record<string, string>>>;
  readonly #plan: TransportPlan;
  readonly #routers = new Map<string, Router>();
  readonly #publishers = new Map<string, Publisher>();
  readonly #sockets = new Map<string, BoundSocket>();

  constructor(plan: TransportPlan, events: SocketEvents) {
    this.#plan = plan;
    this.bound = this.#bindAll(events);
    // An owner may ignore the endpoints.
    this.bound.catch(() => undefined);
  }

  /** @throws TypeError if the plan has no router of that name. */
  router(name: string): Router | undefined {
    checkSocket(this.#plan, name, "router");
    return this.#routers.get(name);
  }

  /** @throws TypeError if the plan has no publisher of that name. */
  publisher(name: string): Publisher | undefined {
    checkSocket(this.#plan, name, "publisher");
    return this.#publishers.get(name);
  }

  async close(linger?: number): Promise<void> {
    await this.bound.catch(() => undefined);
    await this.#closeAll(linger);
  }

  async #bindAll(events: SocketEvents): Promise<Readonly<Record<string, string>>> {
    const { sockets, untrusted } = this.#plan;
    const common = {
      log: events.log,
      ...(untrusted && { untrusted: new UntrustedPeers(untrusted) }),
    };
    const results = await Promise.allSettled(
      Object.entries(sockets).map(async ([name, { type, ...options }]) => {
        this.#sockets.set(name, await this.#bind(type, name, { ...options, ...common }, events));
      }),
    );
    const failure = results.find((result) => result.status === "rejected");
    if (failure !== undefined) {
      await this.#closeAll(0);
      throw failure.reason;
    }
    return Object.fromEntries([...this.#sockets].map(([name, { endpoint }]) => [name, endpoint]));
  }

  async #bind(
    type: SocketPlan["type"],
    name: string,
    options: SocketOptions,
    { received, subscribed }: SocketEvents,
  ): Promise<BoundSocket> {
    if (type === "replier") return await bindReplier(options);
    if (type === "publisher") {
      const publisher = await bindPublisher({
        ...options,
        subscribed: (prefix) => subscribed(name, prefix),
      });
      this.#publishers.set(name, publisher);
      return publisher;
    }
    const router = await bindRouter({
      ...options,
      receive: (message) => received({ socket: name, ...message }),
    });
    this.#routers.set(name, router);
    return router;
  }

  async #closeAll(linger?: number): Promise<void> {
    await Promise.all([...this.#sockets.values()].map((socket) => socket.close(linger)));
  }
}
