import { clearTimeout, setTimeout } from "node:timers";
import type { Worker } from "node:worker_threads";
import { EndpointError } from "./endpoint.ts";
import {
  type Actions,
  Credit,
  costOf,
  createCreditMemory,
  dispatch,
  packFrames,
  type ToOwner,
  type ToWorker,
  unpackFrames,
  type WorkerStart,
} from "./thread-messages.ts";
import {
  checkSocket,
  type Transport,
  type TransportEvents,
  type TransportPlan,
} from "./transport.ts";

/** Milliseconds that a worker has to end by itself, beyond its linger. */
const CLOSE_GRACE = 500;
const DEFAULT_LINGER = 1000;

/**
 * Binds the sockets of a plan in a worker thread. Returns at once; what is sent before the sockets
 * are bound is lost. While this thread computes, the worker sends what was passed to it and
 * its hooks keep answering.
 *
 * While more than 64 MiB are in flight to the worker, `send`, `publish` and `post` block, so that a
 * cell that prints in a loop fills no memory.
 *
 * @param worker Runs a program that calls `serveTransport`. It may have been started long before, while
 * this thread was still loading.
 */
export function startTransport(
  plan: TransportPlan,
  events: TransportEvents,
  worker: Worker,
): Transport {
  return new WorkerTransport(plan, events, worker);
}

class WorkerTransport implements Transport {
  readonly bound: Promise<Readonly<Record<string, string>>>;
  readonly #plan: TransportPlan;
  readonly #events: TransportEvents;
  readonly #worker: Worker;
  readonly #credit: Credit;
  #onBound = (_endpoints: Readonly<Record<string, string>>): void => undefined;
  #onUnbound = (_error: Error): void => undefined;
  #onEnded = (): void => undefined;
  #closed: Promise<void> | undefined;
  #failed = false;

  constructor(plan: TransportPlan, events: TransportEvents, worker: Worker) {
    this.#plan = plan;
    this.#events = events;
    this.#worker = worker;
    this.bound = new Promise((resolve, reject) => {
      this.#onBound = resolve;
      this.#onUnbound = reject;
    });
    // An owner that ignores the endpoints learns of a dead worker by `failed`.
    this.bound.catch(() => undefined);
    const memory = createCreditMemory(plan);
    this.#credit = new Credit(plan, memory);
    this.#listen();
    worker.postMessage({ kind: "start", plan, credit: memory } satisfies WorkerStart);
  }

  send(socket: string, identity: Uint8Array, frames: readonly Uint8Array[]): void {
    checkSocket(this.#plan, socket, "router");
    this.#passFrames("send", socket, [identity, ...frames]);
  }

  publish(socket: string, frames: readonly Uint8Array[]): void {
    checkSocket(this.#plan, socket, "publisher");
    this.#passFrames("publish", socket, frames);
  }

  post(value: unknown, cost = 0): void {
    this.#spend({ kind: "post", value, cost }, []);
  }

  close(linger: number = DEFAULT_LINGER): Promise<void> {
    this.#closed ??= this.#end(linger);
    return this.#closed;
  }

  #listen(): void {
    const actions: Actions<ToOwner> = {
      received: (message) => this.#receive(message),
      bound: ({ endpoints }) => this.#onBound(endpoints),
      unbound: ({ endpoint, reason, code }) =>
        this.#onUnbound(new EndpointError(endpoint, reason, code)),
      posted: ({ value }) => this.#events.posted?.(value),
      log: ({ line }) => this.#events.log?.(line),
      closed: () => this.#onEnded(),
    };
    this.#worker.on("message", (message: ToOwner) => dispatch(actions, message));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", (code) =>
      this.#fail(new Error(`The transport's worker ended with code ${code}`)),
    );
  }

  #passFrames(kind: "send" | "publish", socket: string, frames: readonly Uint8Array[]): void {
    const packed = packFrames(frames, false);
    this.#spend({ kind, socket, packed, cost: costOf(packed) }, packed);
  }

  #spend(message: Extract<ToWorker, { cost: number }>, transfer: readonly ArrayBuffer[]): void {
    if (this.#failed) return;
    this.#worker.postMessage(message, [...transfer]);
    this.#credit.spend(message.cost);
  }

  #receive({ socket, packed, cost }: Extract<ToOwner, { kind: "received" }>): void {
    const [identity = new Uint8Array(), ...frames] = unpackFrames(packed);
    const mayResume = this.#credit.taken(socket, cost);
    if (mayResume && !this.#failed) {
      this.#worker.postMessage({ kind: "resume", socket } satisfies ToWorker);
    }
    this.#events.received({ socket, identity, frames });
  }

  #fail(error: Error): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#onUnbound(error);
    this.#onEnded();
    if (this.#closed === undefined) this.#events.failed?.(error);
  }

  async #end(linger: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, linger + CLOSE_GRACE);
      this.#onEnded = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#failed) this.#onEnded();
      else this.#worker.postMessage({ kind: "close", linger } satisfies ToWorker);
    });
    await this.#worker.terminate();
  }
}
