import type { RunningLimit } from "./cell-limit.ts";
import { InterruptedError } from "./errors.ts";
import { promiseWithReject } from "./promise-with-reject.ts";

/** What it means where a runtime has ended a cell that was computing: a SIGINT, or its limit. */
export function asInterruption(thrown: unknown, limit: RunningLimit | undefined): unknown {
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (code === "ERR_SCRIPT_EXECUTION_INTERRUPTED") return new InterruptedError();
  // A cell may run scripts with limits of their own.
  if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT" && limit?.isOver()) return limit.reason;
  return thrown;
}

/** Whether and why a cell was interrupted. */
export interface Interruption {
  reason: Error | undefined;
  readonly promise: Promise<never>;
}

/** What rejects what a cell awaits. */
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
