/** Why a request was stopped by the client. */
export type Stop =
  | { readonly kind: "timed-out"; readonly milliseconds: number }
  | { readonly kind: "aborted"; readonly reason: unknown };

/** One signal for everything that stops a request: its timeout, the signal of the caller, its owner, the client. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** What stopped it first. It is kept because fetch loses the reason. */
  readonly stop: Stop | undefined;
  abort(reason: unknown): void;
  /** Ends the timeout only. */
  lift(): void;
  /** Removes the timer and the listeners. */
  release(): void;
}

/** Milliseconds. Longer times overflow the timers of every runtime, which then fire at once. */
export const MAX_TIMER: number = 2_147_483_647;

/**
 * Starts a deadline.
 *
 * @param timeout Milliseconds; 0 or Infinity for none.
 * @param signals That of the caller, and that of the owner of the calling code.
 */
export function startDeadline(
  timeout: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Deadline {
  const controller = new AbortController();
  let stop: Stop | undefined;
  const end = (why: Stop): void => {
    if (stop !== undefined) return;
    stop = why;
    controller.abort();
  };
  const timer =
    timeout > 0 && timeout <= MAX_TIMER
      ? setTimeout(() => end({ kind: "timed-out", milliseconds: timeout }), timeout)
      : undefined;
  const removals = signals.map((signal) =>
    listen(signal, (reason) => end({ kind: "aborted", reason })),
  );
  return {
    signal: controller.signal,
    get stop() {
      return stop;
    },
    abort: (reason) => end({ kind: "aborted", reason }),
    lift: () => clearTimeout(timer),
    release() {
      clearTimeout(timer);
      for (const remove of removals) remove();
    },
  };
}

function listen(signal: AbortSignal | undefined, listener: (reason: unknown) => void): () => void {
  const abort = (): void => listener(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
