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

// Read here, before a session replaces the timers: this timer serves all waiting requests and must not end with
// the cell that started it.
const { setTimeout, clearTimeout } = globalThis;

/** Limits how many requests run at once and how many start in a time. */
export interface Limiter {
  /**
   * Waits for a turn, first come first served.
   *
   * @returns A function to call when the request is over.
   * @throws The reason of the signal if it is aborted first.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** How many requests may start in a second, or in `per` milliseconds. */
export type Rate = number | { readonly requests: number; readonly per: number };

/**
 * Creates a limiter; `undefined` without limits.
 *
 * @param concurrency How many requests may run at once.
 * @param rate How many may start in a second, or in `per` milliseconds.
 * @throws {TypeError} A limit is not a number above 0.
 */
export function createLimiter(
  concurrency: number | undefined,
  rate: Rate | undefined,
): Limiter | undefined {
  if (concurrency === undefined && rate === undefined) return undefined;
  const most = positive("concurrency", concurrency ?? Number.POSITIVE_INFINITY);
  const { requests, per } =
    typeof rate === "object" ? rate : { requests: rate ?? Number.POSITIVE_INFINITY, per: 1000 };
  positive("rate", requests);
  positive("rate.per", per);
  const waiting: (() => void)[] = [];
  /** Start times of the latest requests, at most as many as the rate allows. */
  const started: number[] = [];
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Milliseconds until another request may start. */
  function delay(): number {
    const now = performance.now();
    while (started.length > 0 && now - (started[0] ?? 0) >= per) started.shift();
    return started.length < requests ? 0 : per - (now - (started[0] ?? 0));
  }

  function startNext(): void {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && running < most) {
      const wait = delay();
      if (wait > 0) {
        timer = setTimeout(startNext, Math.ceil(wait));
        return;
      }
      running++;
      if (requests !== Number.POSITIVE_INFINITY) started.push(performance.now());
      waiting.shift()?.();
    }
  }

  function finish(): void {
    running--;
    startNext();
  }

  return { acquire: (signal) => acquireTurn(waiting, signal, startNext, finish) };
}

/** Waits in a queue whose functions start the waiting requests. */
function acquireTurn(
  waiting: (() => void)[],
  signal: AbortSignal,
  startNext: () => void,
  finish: () => void,
): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const start = (): void => {
      signal.removeEventListener("abort", leave);
      let isOver = false;
      resolve(() => {
        if (!isOver) finish();
        isOver = true;
      });
    };
    const leave = (): void => {
      const place = waiting.indexOf(start);
      if (place !== -1) waiting.splice(place, 1);
      reject(signal.reason);
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    waiting.push(start);
    startNext();
  });
}

/**
 * Checks an option that may be 0.
 *
 * @throws {TypeError} It is not a number, or below 0.
 */
export function nonNegative(name: string, value: number): number {
  if (typeof value === "number" && value >= 0) return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: it is not a number of at least 0`);
}

/**
 * Checks an option that may not be 0.
 *
 * @throws {TypeError} It is not a number above 0.
 */
function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: it is not a number above 0`);
}
