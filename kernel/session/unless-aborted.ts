import { setImmediate } from "node:timers";
import type { Owner } from "./owner.ts";
import { promiseWithReject } from "./promise-with-reject.ts";

/** What is cut off while it computes never comes to an end: an interrupt ends the wait for it. */
export async function unlessAborted<T>(owner: Owner, work: Promise<T>): Promise<T> {
  const { promise, reject } = promiseWithReject();
  const release = owner.listen((reason) => void setImmediate(reject, reason));
  try {
    return await Promise.race([work, promise]);
  } finally {
    release();
  }
}
