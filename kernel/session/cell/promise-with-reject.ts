/** A promise that is rejected from outside, or never ends. That nobody waits for it is no failure. */
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
