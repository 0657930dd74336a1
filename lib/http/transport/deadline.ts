/** Why a request was stopped from our side. */
export type Stop =
  | { readonly kind: "timed-out"; readonly milliseconds: number }
  | { readonly kind: "aborted"; readonly reason: unknown };

/** One signal for all that can stop a request: its time, the caller's signal, its owner, the client. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** What stopped it; the first stop holds. Asked for because fetch loses the reason. */
  readonly stop: Stop | undefined;
  abort(reason: unknown): void;
  /** Ends the timer alone: what comes from here on may take as long as it likes. */
  lift(): void;
  /** Ends the timer and the listening; to be called whatever happens. */
  release(): void;
}

/** Longer times overflow the timers of every runtime, which then fire at once. */
const MAX_TIMER = 2_147_483_647;

/**
 * Starts a deadline.
 *
 * @param timeout Milliseconds; 0 or Infinity for none.
 * @param signals The caller's, and that of its owner, which ends all that the calling code began.
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
  const leave = signals.map((signal) =>
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
      for (const each of leave) each();
    },
  };
}

function listen(signal: AbortSignal | undefined, listener: (reason: unknown) => void): () => void {
  const abort = (): void => listener(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
