import vm from "node:vm";
import type { RunningLimit, ScriptEvents } from "../cell/mod.ts";
import { scriptName } from "./cell-positions.ts";

/** Lets tslab's executor run the script of a cell the way that a session needs it. */
export interface ScriptRunner {
  /**
   * Runs an action in which the executor runs one script.
   *
   * @param limit Counts from where the script begins.
   * @param onScript Told the number and the text of the script, before it runs.
   */
  run<T>(
    limit: RunningLimit | undefined,
    onScript: (id: number, code: string) => void,
    action: () => T,
  ): T;
}

/** What the scripts of cells are run with. */
export interface ScriptRunnerOptions {
  readonly scriptEvents: ScriptEvents | undefined;
  /** Names that cells see beside those of the runtime. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** What `__tslab__` is while a script begins: the variables of the cells, and their `require`. */
  readonly tslab: { readonly exports: unknown; readonly require: unknown };
}

type RunInThisContext = typeof vm.runInThisContext;

/** The executor gives its code no file name, by which a trace could tell the cell. */
export function createScriptRunner(options: ScriptRunnerOptions): ScriptRunner {
  const { scriptEvents, globals, tslab } = options;
  const scope = globalThis as { __tslab__?: unknown };
  const runScript = scriptEvents?.run ?? (<T>(script: () => T): T => script());
  let count = 0;
  let replaced: { readonly original: RunInThisContext; readonly own: RunInThisContext } | undefined;

  /** A script that is cut off from outside leaves the replacement behind. */
  function restore(): void {
    if (replaced !== undefined && vm.runInThisContext === replaced.own) {
      vm.runInThisContext = replaced.original;
    }
    replaced = undefined;
    delete scope.__tslab__;
  }

  return {
    run: (limit, onScript, action) => {
      restore();
      count += 1;
      const id = count;
      const original = vm.runInThisContext;
      const own: RunInThisContext = (code, given) => {
        const settings = typeof given === "object" ? given : {};
        onScript(id, code);
        return runScript(() => {
          limit?.start();
          return original(code, {
            // With `breakOnSigint`, which the executor sets, Ctrl-C ends a loop where the runtime can,
            // and is lost near the script's end.
            ...settings,
            ...(scriptEvents !== undefined && { breakOnSigint: false }),
            ...(limit !== undefined && { timeout: limit.remaining() }),
            filename: scriptName(id),
            displayErrors: false,
          });
        });
      };
      replaced = { original, own };
      vm.runInThisContext = own;
      scope.__tslab__ = tslab;
      for (const [key, value] of Object.entries(globals)) {
        Object.defineProperty(globalThis, key, { value, writable: true, configurable: true });
      }
      try {
        return action();
      } finally {
        restore();
      }
    },
  };
}
