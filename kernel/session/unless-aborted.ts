/** What is cut off while it computes never comes to an end: an interrupt ends the wait for it. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = withReject();
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

function withReject(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_resolve, refuse) => {
    reject = refuse;
  });
  // Nobody waits for it where the work ends first.
  promise.catch(() => undefined);
  return { promise, reject };
}
