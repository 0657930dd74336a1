/** A promise that is only ever rejected, from outside, and is never an unhandled rejection. */
export function promiseWithReject(): {
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
