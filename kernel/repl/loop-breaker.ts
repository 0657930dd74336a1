import vm from "node:vm";
import { Worker } from "node:worker_threads";
import type { Runtime } from "../platform/mod.ts";

/** Ends JavaScript that computes without a break when Ctrl-C is pressed, as far as a runtime can. */
export interface LoopBreaker {
  /** Notes that the main thread has heard of Ctrl-C: it computes no more. */
  heard(): void;
  /** Runs a cell's code within reach. */
  around<T>(run: () => Promise<T>): Promise<T>;
}

/** What a session calls the scripts of its cells. */
const CELL_FILE = /^restlab-cell-/;
const PLACES = { running: 0, heard: 1 } as const;

/** A thread that hears Ctrl-C while the main one computes; it is all that Node gives us for that. */
const WATCHER = `
const { workerData } = require("node:worker_threads");
const { Session } = require("node:inspector");
const shared = new Int32Array(workerData);
process.emitWarning = () => undefined;
const { Signal } = process.binding("signal_wrap");
const watcher = new Signal();
watcher.onsignal = () => {
  const before = Atomics.load(shared, ${PLACES.heard});
  setTimeout(() => {
    if (Atomics.load(shared, ${PLACES.running}) === 0) return;
    if (Atomics.load(shared, ${PLACES.heard}) !== before) return;
    const session = new Session();
    session.connectToMainThread();
    session.post("Runtime.terminateExecution", () => session.disconnect());
  }, 300);
};
watcher.start(2);
`;

/**
 * Creates a breaker. A cell's script ends at Ctrl-C by itself (Node, Bun); a loop behind an `await`
 * is ended by a second thread (Node). Deno can do neither.
 */
export function createLoopBreaker(runtime: Runtime): LoopBreaker {
  const memory = new SharedArrayBuffer(8);
  const shared = new Int32Array(memory);
  let isWatching = false;

  function watch(): void {
    if (isWatching || runtime.name !== "node") return;
    isWatching = true;
    const watcher = new Worker(WATCHER, { eval: true, workerData: memory });
    watcher.unref();
    // Without it Ctrl-C still ends whatever waits.
    watcher.on("error", () => undefined);
  }

  return {
    heard: () => {
      Atomics.add(shared, PLACES.heard, 1);
    },
    around: async (run) => {
      watch();
      const original = vm.runInThisContext;
      vm.runInThisContext = (
        code: string,
        options?: vm.RunningCodeInNewContextOptions | string,
      ) => {
        const isCell = typeof options === "object" && CELL_FILE.test(options.filename ?? "");
        if (!isCell) return original(code, options);
        // Until here the compiler was at work, which would not survive being cut off.
        Atomics.store(shared, PLACES.running, 1);
        return original(code, { ...options, breakOnSigint: true });
      };
      try {
        return await run();
      } finally {
        vm.runInThisContext = original;
        Atomics.store(shared, PLACES.running, 0);
      }
    },
  };
}
