import { clearTimeout, setTimeout } from "node:timers";
import type { Worker } from "node:worker_threads";
import { EndpointError } from "../zmtp/mod.ts";
import { packFrames, unpackFrames } from "./packed-frames.ts";
import {
  checkSocket,
  type Transport,
  type TransportEvents,
  type TransportPlan,
} from "./transport.ts";
import {
  type Actions,
  CREDIT_BYTES,
  costOf,
  counterOf,
  dispatch,
  TO_WORKER,
  type ToOwner,
  type ToWorker,
  type WorkerStart,
} from "./worker-messages.ts";

/** Beyond its linger a worker has this long to end by itself, in milliseconds. */
const CLOSE_GRACE = 500;
const DEFAULT_LINGER = 1000;
/** A worker that takes nothing for so long is not waited for, in milliseconds. */
const STALL = 5000;

/**
 * Binds the sockets of a plan in a worker thread. Returns at once; what is sent before the sockets
 * are bound has no receiver yet. While this thread computes, the worker goes on sending what was
 * handed to it and its hooks go on answering.
 *
 * Where more than 64 MiB are on their way to the worker, `send` and `publish` wait for it, so that
 * a cell that prints in a loop fills no memory.
 *
 * @param thread Runs a program that calls `serveTransport`. It may have been started long before, while
 * this thread was still loading.
 */
export function startTransport(
  plan: TransportPlan,
  events: TransportEvents,
  thread: Worker,
): Transport {
  const credit = new SharedArrayBuffer(4 * (1 + Object.keys(plan.sockets).length));
  const counters = new Int32Array(credit);
  let settleBound = (_endpoints: Readonly<Record<string, string>>): void => undefined;
  let rejectBound = (_error: Error): void => undefined;
  let settleClosed = (): void => undefined;
  let closed: Promise<void> | undefined;
  let failed = false;
  let stalled = false;
  const bound = new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
    settleBound = resolve;
    rejectBound = reject;
  });
  // Whoever does not ask for the endpoints learns of a dead worker by `failed`.
  bound.catch(() => undefined);
  const actions: Actions<ToOwner> = {
    received: receive,
    bound: ({ endpoints }) => settleBound(endpoints),
    unbound: ({ endpoint, reason, code }) => rejectBound(new EndpointError(endpoint, reason, code)),
    posted: ({ value }) => events.posted?.(value),
    log: ({ line }) => events.log?.(line),
    closed: () => settleClosed(),
  };
  thread.on("message", (message: ToOwner) => dispatch(actions, message));
  thread.on("error", fail);
  thread.on("exit", (code) => fail(new Error(`The transport's worker ended with code ${code}`)));
  const start: WorkerStart = { kind: "start", plan, credit };
  thread.postMessage(start);

  return {
    bound,
    send(socket, identity, frames) {
      checkSocket(plan, socket, "router");
      pass("send", socket, [identity, ...frames]);
    },
    publish(socket, frames) {
      checkSocket(plan, socket, "publisher");
      pass("publish", socket, frames);
    },
    post: (value) => tell({ kind: "post", value }),
    close(linger = DEFAULT_LINGER) {
      closed ??= end(linger);
      return closed;
    },
  };

  function tell(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    if (!failed) thread.postMessage(message, [...transfer]);
  }

  function pass(kind: "send" | "publish", socket: string, frames: readonly Uint8Array[]): void {
    const packed = packFrames(frames, false);
    const cost = costOf(packed);
    tell({ kind, socket, packed, cost }, packed.buffers);
    waitForCredit(Atomics.add(counters, TO_WORKER, cost) + cost);
  }

  function waitForCredit(onTheWay: number): void {
    stalled &&= onTheWay > CREDIT_BYTES;
    let waiting = onTheWay;
    while (waiting > CREDIT_BYTES && !stalled && !failed) {
      stalled = Atomics.wait(counters, TO_WORKER, waiting, STALL) === "timed-out";
      waiting = Atomics.load(counters, TO_WORKER);
    }
  }

  function receive({ socket, packed, cost }: Extract<ToOwner, { kind: "received" }>): void {
    const [identity = new Uint8Array(), ...frames] = unpackFrames(packed);
    const before = Atomics.sub(counters, counterOf(plan, socket), cost);
    if (before > CREDIT_BYTES / 2 && before - cost <= CREDIT_BYTES / 2) {
      tell({ kind: "resume", socket });
    }
    events.received({ socket, identity, frames });
  }

  function fail(error: Error): void {
    if (failed) return;
    failed = true;
    rejectBound(error);
    settleClosed();
    if (closed === undefined) events.failed?.(error);
  }

  async function end(linger: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, linger + CLOSE_GRACE);
      settleClosed = () => {
        clearTimeout(timer);
        resolve();
      };
      if (failed) settleClosed();
      else tell({ kind: "close", linger });
    });
    await thread.terminate();
  }
}
