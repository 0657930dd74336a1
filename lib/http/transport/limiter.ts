import { positive } from "./numbers.ts";

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
