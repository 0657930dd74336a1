import { setImmediate } from "node:timers";
import { promiseWithReject } from "./promise-with-reject.ts";

/** What is cut off while it computes never comes to an end: an interrupt ends the wait for it. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = promiseWithReject();
  const onAbort = (): void => {
    setImmediate(reject, signal.reason);
  };
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
