import { setImmediate } from "node:timers";
import { promiseWithReject } from "./promise-with-reject.ts";

/** Waits for work unless it is aborted: terminated code never settles. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = promiseWithReject();
  const onAbort = (): void => {
    setImmediate(reject, signal.reason);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
