/** A timer of the limiter serves all who wait, whoever of them started it: it ends with none of them. */
const { setTimeout, clearTimeout } = globalThis;

/** Lets requests go one after the other, so many at once and so many in a time. */
export interface Limiter {
  /**
   * Waits for a turn, in the order of asking.
   *
   * @returns What is to be called when the request is over.
   * @throws The reason of the signal, when it is aborted first.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** How many requests may begin in a time. */
export type Rate = number | { readonly requests: number; readonly per: number };

/**
 * Creates a limiter; nothing where nothing is limited.
 *
 * @param concurrency How many may be on their way at once.
 * @param rate How many may begin: in a second, or `per` milliseconds.
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
  /** When the latest requests began, as many as the rate counts. */
  const begun: number[] = [];
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Milliseconds until one more may begin. */
  function pause(): number {
    const now = performance.now();
    while (begun.length > 0 && now - (begun[0] ?? 0) >= per) begun.shift();
    return begun.length < requests ? 0 : per - (now - (begun[0] ?? 0));
  }

  function proceed(): void {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && running < most) {
      const wait = pause();
      if (wait > 0) {
        timer = setTimeout(proceed, Math.ceil(wait));
        return;
      }
      running++;
      if (requests !== Number.POSITIVE_INFINITY) begun.push(performance.now());
      waiting.shift()?.();
    }
  }

  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        const begin = (): void => {
          signal.removeEventListener("abort", giveUp);
          let isOver = false;
          resolve(() => {
            if (isOver) return;
            isOver = true;
            running--;
            proceed();
          });
        };
        const giveUp = (): void => {
          const place = waiting.indexOf(begin);
          if (place !== -1) waiting.splice(place, 1);
          reject(signal.reason);
        };
        if (signal.aborted) return giveUp();
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.push(begin);
        proceed();
      }),
  };
}

function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: a number above 0 is needed`);
}
