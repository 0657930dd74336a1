import { runInThisContext } from "node:vm";
import {
  type Frame,
  IMPORT_META,
  REALM,
  type RunningLimit,
  restoreBuiltIns,
  SCOPE,
  SCRIPT,
  type ScriptEvents,
} from "../cell/mod.ts";
import { createPositionMap, type GuardedCode, type PositionMap } from "./guard-code.ts";
import type { Compiler } from "./load-compiler.ts";

/** A cell that is ready to run. */
interface Script {
  /** The body of a function of `exports`, `require` and the scope of the cells, or of the given parameters. */
  readonly code: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly isAsync: boolean;
  readonly limit: RunningLimit | undefined;
  /** Called with the names of built-in functions that it has replaced, which have been put back. */
  readonly onReplaced?: (names: string) => void;
}

/** Runs the scripts of cells. */
export interface ScriptRunner {
  /**
   * Runs a script up to its end, or its first `await`.
   *
   * @param onScript Called with the number of the script, and the length of what stands before its code,
   *   before it runs.
   * @returns Its value, or the promise of it if it is asynchronous.
   */
  run(script: Script, onScript: (id: number, prefix: number) => void): unknown;
}

/** What the scripts of cells are run with. */
interface ScriptRunnerOptions {
  readonly scriptEvents: ScriptEvents | undefined;
  /** The variables of the cells. */
  readonly scope: Readonly<Record<string, unknown>>;
  readonly require: (name: string) => unknown;
  /** The `import.meta` of cells. */
  readonly meta: object;
}

/** How many scripts have been run, of all sessions. */
let count = 0;

/** Creates a runner of scripts, which share one scope. */
export function createScriptRunner(options: ScriptRunnerOptions): ScriptRunner {
  const { scriptEvents, scope, require, meta } = options;
  const ofCells = { exports: {}, require, [SCOPE]: scope, [IMPORT_META]: meta };
  const runScript = scriptEvents?.run ?? (<T>(script: () => T): T => script());

  return {
    run: ({ code, isAsync, limit, parameters = ofCells, onReplaced }, onScript) => {
      count += 1;
      const filename = scriptName(count);
      const prefix = `(${isAsync ? "async " : ""}function (${Object.keys(parameters).join(", ")}) {`;
      onScript(count, prefix.length);
      // A script that is terminated does not delete this; the next one replaces it.
      Object.defineProperty(REALM, PARAMETERS, {
        value: Object.values(parameters),
        writable: true,
        configurable: true,
      });
      try {
        return runScript(() => {
          limit?.start();
          // The call is a part of the script: nothing else is counted, and ended, by the time limit.
          return runInThisContext(`${prefix}${code}\n})(...${PARAMETERS})`, {
            filename,
            displayErrors: false,
            ...(limit !== undefined && { timeout: limit.remaining() + GRACE }),
            // It would be lost near the script's end where something else ends loops at Ctrl-C.
            breakOnSigint: scriptEvents === undefined,
          });
        });
      } finally {
        const replaced = restoreBuiltIns();
        Reflect.deleteProperty(REALM, PARAMETERS);
        if (replaced !== "") onReplaced?.(replaced);
      }
    },
  };
}

/**
 * Milliseconds in which the checks in a cell's own code end it before the script is terminated. On Deno 2.9 a script that
 * ends by itself just when its time limit is over leaves the termination to what runs next, which ends the process.
 */
const GRACE = 100;

/** The global variable that a script begins with. */
const PARAMETERS = "__restlab_parameters__";

/** Maps positions in scripts to the cells that they were compiled from. */
export interface CellPositions {
  /**
   * Adds a script.
   *
   * @param id Its number, from which {@link scriptName} makes its file name.
   */
  remember(id: number, script: RanScript): void;
  /** The place in the cell; `undefined` for a line that the user did not write. */
  locate(id: number, position: Pick<Frame, "line" | "column">): Frame | undefined;
}

/** A script, and how it was made from a cell. */
interface RanScript {
  /** What a trace calls the cell. */
  readonly name: string;
  /** How many characters stand before the cell's code in its first line. */
  readonly prefix: number;
  /** The line of its file where it begins; 1 by default. */
  readonly firstLine?: number | undefined;
  /** The source map of the compiler, of a cell that it has translated. */
  readonly map?: string;
  readonly unguard: GuardedCode["unguard"];
}

const KEPT_MAPS = 1000;
const FRAME_FILE = new RegExp(`^${SCRIPT}(\\d+)$`);

/** The file name of a script, by which a trace and whatever ends loops know a cell. */
function scriptName(id: number): string {
  return `${SCRIPT}${id}`;
}

/** The number in such a file name. */
export function scriptNumber(file: string): number | undefined {
  const [, id] = FRAME_FILE.exec(file) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** Creates an empty table of positions; it forgets the oldest scripts. */
export function createCellPositions(compiler: Compiler): CellPositions {
  const cells = new Map<number, RanScript & { readonly toCell: PositionMap }>();
  return {
    remember: (id, script) => {
      const { map } = script;
      const toCell: PositionMap = map === undefined ? (at) => at : createPositionMap(compiler, map);
      cells.set(id, { ...script, toCell });
      cells.delete(id - KEPT_MAPS);
    },
    locate: (id, { line, column }) => {
      const cell = cells.get(id);
      if (cell === undefined) return undefined;
      const shown = cell.unguard({ line, column: line === 1 ? column - cell.prefix : column });
      const written = cell.toCell(shown);
      const { name: file, firstLine = 1 } = cell;
      return written && { file, ...written, line: written.line + firstLine - 1 };
    },
  };
}
