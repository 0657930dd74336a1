import { runInThisContext } from "node:vm";
import type { RunningLimit, ScriptEvents } from "../cell/mod.ts";
import { scriptName } from "./cell-positions.ts";

/** A cell that is ready to run. */
export interface Script {
  /** The body of a function of `exports` and `require`, or of the given parameters. */
  readonly code: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly isAsync: boolean;
  readonly limit: RunningLimit | undefined;
}

/** Runs the scripts of cells. */
export interface ScriptRunner {
  /**
   * Runs a script up to its end, or its first `await`.
   *
   * @param onScript Called with the number of the script, and the length of what stands before its code,
   *   before it runs.
   * @returns The promise of its end if it is asynchronous.
   */
  run(script: Script, onScript: (id: number, prefix: number) => void): unknown;
}

/** What the scripts of cells are run with. */
export interface ScriptRunnerOptions {
  readonly scriptEvents: ScriptEvents | undefined;
  /** Names that cells see beside those of the runtime. */
  readonly globals: Readonly<Record<string, unknown>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly require: (name: string) => unknown;
}

/** Creates a runner of scripts, which share one `exports`. */
export function createScriptRunner(options: ScriptRunnerOptions): ScriptRunner {
  const { scriptEvents, globals, exports, require } = options;
  const runScript = scriptEvents?.run ?? (<T>(script: () => T): T => script());
  let count = 0;

  /** A getter stays one: what it creates is created when a cell uses the name. */
  function defineGlobals(given: Readonly<Record<string, unknown>>): void {
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(given))) {
      Object.defineProperty(globalThis, key, { ...property, enumerable: false });
    }
  }

  return {
    run: ({ code, isAsync, limit, parameters = { exports, require } }, onScript) => {
      count += 1;
      const filename = scriptName(count);
      const prefix = `(${isAsync ? "async " : ""}function (${Object.keys(parameters).join(", ")}) {`;
      onScript(count, prefix.length);
      // A script that is terminated does not delete this; the next one replaces it.
      defineGlobals(globals);
      defineGlobals({ [PARAMETERS]: Object.values(parameters) });
      try {
        return runScript(() => {
          limit?.start();
          // The call is a part of the script: nothing else is counted, and ended, by the time limit.
          return runInThisContext(`${prefix}${code}\n})(...${PARAMETERS})`, {
            filename,
            displayErrors: false,
            ...(limit !== undefined && { timeout: limit.remaining() }),
            // It would be lost near the script's end where something else ends loops at Ctrl-C.
            breakOnSigint: scriptEvents === undefined,
          });
        });
      } finally {
        Reflect.deleteProperty(globalThis, PARAMETERS);
      }
    },
  };
}

/** The global variable that a script begins with. */
const PARAMETERS = "__restlab_parameters__";
