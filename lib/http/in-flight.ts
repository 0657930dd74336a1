import { NoResponseError, type PendingRequest } from "../exchange/mod.ts";
import type { TransferProgress } from "./receive-body.ts";

/** Why a request was stopped by the client. */
export type Stop =
  | { readonly kind: "timed-out"; readonly milliseconds: number }
  | { readonly kind: "aborted"; readonly reason: unknown };

/** One signal for everything that stops a request: its timeout, the signal of the caller, its owner, the client. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** What stopped it first. It is kept because fetch loses the reason. */
  readonly stop: Stop | undefined;
  /** Milliseconds until the timeout; Infinity without one. */
  readonly left: number;
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
  const isTimed = timeout > 0 && timeout <= MAX_TIMER;
  let endsAt = isTimed ? performance.now() + timeout : Infinity;
  const timer = isTimed
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
    get left() {
      return endsAt - performance.now();
    },
    abort: (reason) => end({ kind: "aborted", reason }),
    lift() {
      endsAt = Infinity;
      clearTimeout(timer);
    },
    release() {
      clearTimeout(timer);
      for (const remove of removals) remove();
    },
  };
}

/** What listens to a signal, which has one listener for all requests: Node warns of more than ten. */
const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>();

function listen(signal: AbortSignal | undefined, listener: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => undefined;
  const abort = (): void => listener(signal.reason);
  if (signal.aborted) abort();
  const known = LISTENERS.get(signal);
  const listeners = known ?? new Set();
  listeners.add(abort);
  if (known === undefined) {
    LISTENERS.set(signal, listeners);
    const end = (): void => {
      for (const one of [...listeners]) one();
    };
    signal.addEventListener("abort", end, { once: true });
  }
  return () => void listeners.delete(abort);
}

// Read here, before a session replaces the timers: this timer serves all waiting requests and must not end with
// the cell that started it.
const { setTimeout, clearTimeout } = globalThis;

/** Waits until a promise is settled, but no longer than some milliseconds. */
export function atMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const settled = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(settled, settled);
  });
}

/**
 * Waits for a promise until the deadline.
 *
 * @throws The reason of its signal.
 */
export function beforeDeadline<T>({ signal }: Deadline, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const remove = listen(signal, reject);
    promise.then(resolve, reject).finally(remove);
  });
}

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
  // A rate that is not whole keeps its share of the time: 0.5 a second is one in two seconds.
  const atOnce = Math.max(1, Math.floor(requests));
  const span = atOnce === requests ? per : (per * atOnce) / requests;
  const waiting: (() => void)[] = [];
  /** Start times of the latest requests, at most as many as the rate allows. */
  const started: number[] = [];
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Milliseconds until another request may start. */
  function delay(): number {
    const now = performance.now();
    while (started.length > 0 && now - (started[0] ?? 0) >= span) started.shift();
    return started.length < atOnce ? 0 : span - (now - (started[0] ?? 0));
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
      // The timer of the last one that waits would keep a process alive.
      if (waiting.length === 0) startNext();
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

/** A request in flight, as `pending` shows it. */
export type InFlightRequest = PendingRequest & TransferProgress;

/** The requests in flight of a client and of those that extend it. Every request is registered here. */
export interface InFlight {
  readonly pending: readonly PendingRequest[];
  /** @throws The abort reason of the calling code, which may send nothing more. */
  check(): void;
  /**
   * Registers a request and starts its deadline, which also ends when the calling code is ended.
   *
   * @param timeout Milliseconds; 0 or Infinity for none.
   * @param signal The caller's.
   * @throws The same as {@link InFlight.check}.
   */
  start(request: InFlightRequest, timeout: number, signal: AbortSignal | undefined): Deadline;
  end(deadline: Deadline): void;
  /**
   * Registers a request and runs a task that precedes it, without a time limit.
   *
   * @throws {NoResponseError} The request was aborted.
   * @throws What the task throws.
   */
  wait<T>(
    request: InFlightRequest,
    signal: AbortSignal | undefined,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Aborts every request and returns how many there were. */
  abort(reason: unknown): number;
}

/** What the running code has to do with the requests in flight. */
interface InFlightOptions {
  /** Returns the signal that ends the running code, if there is one. */
  readonly owner?: (() => AbortSignal | undefined) | undefined;
  /** Called with each request that is registered; what it returns is called when the request has ended. */
  readonly onPending?: ((request: PendingRequest) => (() => void) | undefined) | undefined;
}

/** Creates an empty list of requests in flight. */
export function createInFlight({
  owner: ownerOf = () => undefined,
  onPending,
}: InFlightOptions = {}): InFlight {
  const requests = new Map<
    Deadline,
    { readonly request: InFlightRequest; readonly onEnd: (() => void) | undefined }
  >();
  const inFlight: InFlight = {
    get pending() {
      return [...requests.values()].map(({ request }) => request);
    },
    check: () => ownerOf()?.throwIfAborted(),
    start(request, timeout, signal) {
      inFlight.check();
      const deadline = startDeadline(timeout, signal, ownerOf());
      requests.set(deadline, { request, onEnd: onPending?.(request) });
      return deadline;
    },
    end(deadline) {
      const onEnd = requests.get(deadline)?.onEnd;
      requests.delete(deadline);
      onEnd?.();
      deadline.release();
    },
    async wait(request, signal, task) {
      const deadline = inFlight.start(request, 0, signal);
      try {
        return await task(deadline.signal);
      } catch (cause) {
        if (deadline.stop?.kind !== "aborted") throw cause;
        throw abortedBeforeSending(request, deadline.stop.reason);
      } finally {
        inFlight.end(deadline);
      }
    },
    abort(reason) {
      const { size } = requests;
      for (const deadline of requests.keys()) deadline.abort(reason);
      return size;
    },
  };
  return inFlight;
}

function abortedBeforeSending({ method, url }: InFlightRequest, cause: unknown): NoResponseError {
  const request = { method, url, writtenUrl: url, headers: [], added: [], body: undefined };
  const message = `${method} "${url}" was aborted before it was sent`;
  return new NoResponseError("aborted", message, { request, redirects: [], cause });
}
