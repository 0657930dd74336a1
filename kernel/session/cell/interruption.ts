import { setImmediate } from "node:timers";
import { InterruptedError } from "./errors.ts";
import type { Owner } from "./owner.ts";
import type { RunningLimit } from "./scope.ts";

/** Translates the error of a script that a SIGINT or its limit has terminated. */
export function asInterruption(thrown: unknown, limit: RunningLimit | undefined): unknown {
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (code === "ERR_SCRIPT_EXECUTION_INTERRUPTED") return new InterruptedError();
  // A cell may also run scripts with their own limits.
  if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT" && limit?.isOver()) return limit.reason;
  return thrown;
}

/** Whether and why a cell was interrupted. */
interface Interruption {
  reason: Error | undefined;
  readonly promise: Promise<never>;
}

/** Creates what a cell awaits beside its promises, and what rejects it. */
export function createInterruption(): { signal: Interruption; interrupt(reason: Error): void } {
  const { promise, reject } = promiseWithReject();
  const signal: Interruption = { reason: undefined, promise };
  return {
    signal,
    interrupt: (reason) => {
      signal.reason = reason;
      reject(reason);
    },
  };
}

/** A promise that is only ever rejected, from outside, and is never an unhandled rejection. */
function promiseWithReject(): {
  readonly promise: Promise<never>;
  readonly reject: (reason: unknown) => void;
} {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_resolve, refuse) => {
    reject = refuse;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}

/** Waits for work unless its owner is ended: terminated code never settles. */
export async function unlessEnded<T>(owner: Pick<Owner, "listen">, work: Promise<T>): Promise<T> {
  const { promise, reject } = promiseWithReject();
  const forget = owner.listen((reason) => void setImmediate(reject, reason));
  try {
    return await Promise.race([work, promise]);
  } finally {
    forget();
  }
}

/** Waits for work unless it is aborted. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const listen: Owner["listen"] = (listener) => {
    const onAbort = (): void => listener(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    return () => signal.removeEventListener("abort", onAbort);
  };
  return unlessEnded({ listen }, work);
}
