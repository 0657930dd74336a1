import {
  type BoundSocket,
  bindPublisher,
  bindReplier,
  bindRouter,
  type Publisher,
  type Router,
  type SocketOptions,
  UntrustedPeers,
} from "../sockets/mod.ts";
import {
  checkSocket,
  type SocketMessage,
  type SocketPlan,
  type TransportPlan,
} from "./transport.ts";

interface SocketEvents {
  received(message: SocketMessage): void;
  subscribed(socket: string, prefix: Uint8Array): readonly Uint8Array[] | undefined;
  log(line: string): void;
}

/** The sockets of a plan, by name. */
export class PlannedSockets {
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
