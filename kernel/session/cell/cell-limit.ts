/** How long a cell may run, and the error that ends it then. */
export interface CellLimit {
  readonly milliseconds: number;
  readonly reason: Error;
}

/** The limit of a running cell. */
export interface RunningLimit {
  readonly reason: Error;
  /** Starts counting: loading and checking TypeScript do not count. */
  start(): void;
  /** The milliseconds that are left, at least 1. */
  remaining(): number;
  isOver(): boolean;
  stop(): void;
}

/**
 * Creates a limit that calls `end` when it is over. While a script computes no timer fires: whatever
 * runs it must end it after {@link RunningLimit.remaining}.
 */
export function createLimit(
  { milliseconds, reason }: CellLimit,
  end: (reason: Error) => void,
): RunningLimit {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return {
    reason,
    stop: () => clearTimeout(timer),
    start: () => {
      clearTimeout(timer);
      until = performance.now() + milliseconds;
      timer = setTimeout(() => end(reason), milliseconds);
    },
    remaining: () => Math.max(1, Math.ceil(until - performance.now())),
    isOver: () => performance.now() >= until,
  };
}
