/** What cells share: each exports its names into it, and reads those of the cells before it. */
export interface CellScope {
  readonly exports: Record<string, unknown>;
  /** The variables of the cells, with their values at this moment. */
  readonly variables: Pick<ReadonlyMap<string, unknown>, "get" | "has" | "keys">;
  /** The type of the last result, the variable `_`; `undefined` if a cell declares a `_` of its own. */
  resultType(): string | undefined;
  /** Keeps the last result, with its type. */
  setResult(value: unknown, type: string): void;
  /** Takes a value out. */
  take(name: string): unknown;
  clear(): void;
}

/** Creates an empty scope. */
export function createCellScope(): CellScope {
  let resultType: string | undefined;
  let declaresResult = false;
  const values: Record<string, unknown> = {};
  const exports = new Proxy(values, {
    // The compiler exports what a cell imports by a getter, and a later cell may assign to it.
    defineProperty: (target, name, { get, value }) => {
      if (name === "__esModule") return true;
      if (name === RESULT) declaresResult = true;
      return Reflect.defineProperty(target, name, {
        value: get === undefined ? value : get(),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    },
  });
  const isVariable = (name: string): boolean =>
    Object.hasOwn(values, name) && (name !== RESULT || declaresResult);
  return {
    exports,
    variables: {
      get: (name) => (isVariable(name) ? values[name] : undefined),
      has: isVariable,
      keys: () => Object.keys(values).filter(isVariable).values(),
    },
    resultType: () => (declaresResult ? undefined : resultType),
    setResult: (value, type) => {
      if (declaresResult) return;
      values[RESULT] = value;
      resultType = type;
    },
    take: (name) => {
      const value = values[name];
      delete values[name];
      return value;
    },
    clear: () => {
      for (const name of Object.keys(values)) delete values[name];
      resultType = undefined;
      declaresResult = false;
    },
  };
}

/** The variable with the last result. */
export const RESULT = "_";

/** How long a cell may run, and the error that ends it then. */
export interface CellLimit {
  readonly milliseconds: number;
  readonly reason: Error;
}

/** The limit of a running cell. */
export interface RunningLimit {
  readonly reason: Error;
  /** Starts counting, or goes on after a pause: loading and checking TypeScript do not count. It may be counting already. */
  start(): void;
  /** Stops counting until the next start, for example while TypeScript is loaded for a script of a request. */
  pause(): void;
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
  let left = milliseconds;
  let until = Number.POSITIVE_INFINITY;
  let isStopped = false;
  return {
    reason,
    start: () => {
      if (isStopped || until !== Number.POSITIVE_INFINITY) return;
      until = performance.now() + left;
      timer = setTimeout(() => end(reason), left);
    },
    pause: () => {
      clearTimeout(timer);
      left = Math.min(left, Math.max(1, until - performance.now()));
      until = Number.POSITIVE_INFINITY;
    },
    stop: () => {
      clearTimeout(timer);
      isStopped = true;
    },
    remaining: () => Math.max(1, Math.ceil(until - performance.now())),
    isOver: () => performance.now() >= until,
  };
}
