import type { RunningLimit } from "./cell-limit.ts";
import { InterruptedError } from "./errors.ts";
import { promiseWithReject } from "./promise-with-reject.ts";

/** Translates the error of a script that a SIGINT or its limit has terminated. */
export function asInterruption(thrown: unknown, limit: RunningLimit | undefined): unknown {
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (code === "ERR_SCRIPT_EXECUTION_INTERRUPTED") return new InterruptedError();
  // A cell may also run scripts with their own limits.
  if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT" && limit?.isOver()) return limit.reason;
  return thrown;
}

/** Whether and why a cell was interrupted. */
export interface Interruption {
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
