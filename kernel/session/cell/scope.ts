import { clearTimeout, setTimeout } from "node:timers";
import { runInThisContext } from "node:vm";

/** What cells share: what each declares at its top level, and those after it read and write. */
export interface CellScope {
  /** The values by name, the last result `_` included; reading one that is not there throws a `ReferenceError`. */
  readonly values: Record<string, unknown>;
  /** The variables of the cells, with their values at this moment. */
  readonly variables: Pick<ReadonlyMap<string, unknown>, "get" | "has" | "keys">;
  /** Runs an action for which there are no variables of cells. */
  withoutVariables<T>(action: () => T): T;
  /** Notes that a cell has declared names. */
  declare(names: readonly string[]): void;
  /** The type of the last result, the variable `_`; `undefined` if a cell declares a `_` of its own. */
  resultType(): string | undefined;
  /** Whether results are kept: not those of cells that a program runs. */
  keepsResult: boolean;
  /** Keeps the last result, with its type. */
  setResult(value: unknown, type: string): void;
  clear(): void;
}

/** Creates an empty scope. */
export function createCellScope(): CellScope {
  let resultType: string | undefined;
  let declaresResult = false;
  const values: Record<string, unknown> = Object.create(UNDECLARED);
  let isHidden = false;
  const isVariable = (name: string): boolean =>
    !isHidden && Object.hasOwn(values, name) && (name !== RESULT || declaresResult);
  return {
    values,
    variables: {
      get: (name) => (isVariable(name) ? values[name] : undefined),
      has: isVariable,
      keys: () => Object.keys(values).filter(isVariable).values(),
    },
    withoutVariables: (action) => {
      isHidden = true;
      try {
        return action();
      } finally {
        isHidden = false;
      }
    },
    declare: (names) => {
      if (names.includes(RESULT)) declaresResult = true;
    },
    resultType: () => (declaresResult ? undefined : resultType),
    keepsResult: true,
    setResult(value, type) {
      if (declaresResult || !this.keepsResult) return;
      values[RESULT] = value;
      resultType = type;
    },
    clear: () => {
      for (const name of Object.keys(values)) delete values[name];
      resultType = undefined;
      declaresResult = false;
    },
  };
}

/** The prototype of the values: what a function reads before the line that declares it is an error, as elsewhere. */
const UNDECLARED: object = new Proxy(Object.create(null), {
  get: (_, name) => {
    throw new ReferenceError(`Cannot access '${String(name)}' before initialization`);
  },
});

/** The global object of the code of cells. A program such as Jest runs this module in another realm than scripts. */
export const REALM: typeof globalThis = runInThisContext("globalThis");

/** What the file names of scripts begin with, before their numbers. */
export const SCRIPT = "restlab-cell-";

/** The parameter of a cell's code that has the values of the scope. */
export const SCOPE = "__restlab_scope__";

/** The parameter of a cell's code, and of a local file's, that is its `import.meta`. */
export const IMPORT_META = "__restlab_import_meta__";

/** The global function that the code of cells calls now and then, if it can be ended from outside. */
export const CHECKPOINT = "__restlab_checkpoint__";

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
