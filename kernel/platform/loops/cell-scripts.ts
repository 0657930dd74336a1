import vm from "node:vm";
import { Worker } from "node:worker_threads";

/** What a session calls the scripts of its cells. */
const CELL_FILE = /^restlab-cell-/;

/**
 * Has the scripts of cells run by somebody else; other scripts run as they did.
 *
 * @param runScript Gets what runs a script, which wants to know whether Ctrl-C is to end it.
 * @returns Gives the scripts back.
 */
export function takeCellScripts(
  runScript: (run: (breakOnSigint: boolean) => unknown) => unknown,
): () => void {
  const original = vm.runInThisContext;
  vm.runInThisContext = (code: string, options?: vm.RunningCodeInNewContextOptions | string) => {
    const isCell = typeof options === "object" && CELL_FILE.test(options.filename ?? "");
    if (!isCell) return original(code, options);
    return runScript((breakOnSigint) => original(code, { ...options, breakOnSigint }));
  };
  return () => {
    vm.runInThisContext = original;
  };
}

/** Starts a thread that watches the main one, and keeps no process alive. */
export function startWatcher(program: string, workerData: object): Worker {
  const watcher = new Worker(program, { eval: true, workerData });
  watcher.unref();
  // Without it Ctrl-C still ends whatever waits.
  watcher.on("error", () => undefined);
  return watcher;
}
