/** How long a cell may run, and the error that it ends with then. */
export interface CellLimit {
  readonly milliseconds: number;
  readonly reason: Error;
}

/** A limit that counts while a cell runs. */
export interface RunningLimit {
  readonly reason: Error;
  /** Counts from now on: loading and checking TypeScript are not the cell's doing. */
  start(): void;
  /** Milliseconds until it is over, at least 1. */
  remaining(): number;
  isOver(): boolean;
  stop(): void;
}

/**
 * A limit that calls `end` when it is over. A script that computes hears of no timer: what runs it
 * has to end it after {@link RunningLimit.remaining}.
 */
export function createLimit(
  { milliseconds, reason }: CellLimit,
  end: (reason: Error) => void,
): RunningLimit {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let until = Number.POSITIVE_INFINITY;
  const stop = (): void => clearTimeout(timer);
  return {
    reason,
    stop,
    start: () => {
      stop();
      until = performance.now() + milliseconds;
      timer = setTimeout(() => end(reason), milliseconds);
    },
    remaining: () => Math.max(1, Math.ceil(until - performance.now())),
    isOver: () => performance.now() >= until,
  };
}
