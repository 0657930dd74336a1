import vm from "node:vm";
import { sessionModule } from "./session-module.ts";

/** What a script that a SIGINT has ended throws. */
const BROKEN = "ERR_SCRIPT_EXECUTION_INTERRUPTED";

/** What a session calls the scripts of its cells. */
const CELL_FILE = /^restlab-cell-/;

/** Told where a cell's own code is. */
export interface UserCodeEvents {
  /** The cell is compiled, and its script begins. */
  readonly scriptBegins: () => void;
  /** The script has come to its end or to its first `await`. */
  readonly scriptEnds: () => void;
}

/**
 * Tells when a cell's own code runs, and lets a SIGINT end its script with an exception. Until then
 * nothing may be cut off: the compiler would not survive it.
 *
 * @returns What undoes it.
 */
export function watchUserCode({ scriptBegins, scriptEnds }: UserCodeEvents): () => void {
  const original = vm.runInThisContext;
  vm.runInThisContext = (code: string, options?: vm.RunningCodeInNewContextOptions | string) => {
    const isCell = typeof options === "object" && CELL_FILE.test(options.filename ?? "");
    if (!isCell) return original(code, options);
    scriptBegins();
    try {
      return original(code, { ...options, breakOnSigint: true });
    } catch (error) {
      if (Object(error).code !== BROKEN) throw error;
      const { InterruptedError } = sessionModule();
      throw new InterruptedError();
    } finally {
      scriptEnds();
    }
  };
  return () => {
    vm.runInThisContext = original;
  };
}
