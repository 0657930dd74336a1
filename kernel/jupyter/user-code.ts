import vm from "node:vm";
import { InterruptedError } from "../session/mod.ts";

const BROKEN = "ERR_SCRIPT_EXECUTION_INTERRUPTED";

/** What a session calls the scripts of its cells. */
const CELL_FILE = /^restlab-cell-/;

/**
 * Tells when a cell's own code begins to run, after it was compiled, and lets a SIGINT end its
 * script with an exception. Until then nothing may be cut off: the compiler would not survive it.
 *
 * @returns What undoes it.
 */
export function watchUserCode(onStart: () => void): () => void {
  const original = vm.runInThisContext;
  vm.runInThisContext = (code: string, options?: vm.RunningCodeInNewContextOptions | string) => {
    const isCell = typeof options === "object" && CELL_FILE.test(options.filename ?? "");
    if (!isCell) return original(code, options);
    onStart();
    try {
      return original(code, { ...options, breakOnSigint: true });
    } catch (error) {
      throw (error as { code?: unknown } | null)?.code === BROKEN ? new InterruptedError() : error;
    }
  };
  return () => {
    vm.runInThisContext = original;
  };
}
