import vm from "node:vm";
import { Worker } from "node:worker_threads";
import type { Runtime } from "../platform/mod.ts";
import { PLACES, WATCHER, type WatcherData } from "./loop-watcher.ts";

/** Ends JavaScript that computes without a break when Ctrl-C is pressed, as far as a runtime can. */
export interface LoopBreaker {
  /** Notes that the main thread has heard of Ctrl-C: it computes no more. */
  heard(): void;
  /** Runs a cell's code within reach. */
  around<T>(run: () => Promise<T>): Promise<T>;
}

/** What a session calls the scripts of its cells. */
const CELL_FILE = /^restlab-cell-/;
/** How long a watcher may take to obey, in milliseconds; on a busy machine threads start slowly. */
const PATIENCE = 5_000;

/**
 * Creates a breaker. A cell's script ends at Ctrl-C by itself (Node, Bun); a loop behind an `await`
 * is ended by a second thread (Node). Deno can do neither.
 */
export function createLoopBreaker(runtime: Runtime): LoopBreaker {
  const memory = new SharedArrayBuffer(12);
  const shared = new Int32Array(memory);
  let watcher: Worker | undefined;
  let isWatching = false;
  let isUseless = runtime.name !== "node";
  let asked = 0;

  function watch(isWanted: boolean): void {
    Atomics.store(shared, PLACES.breakable, isWanted ? 1 : 0);
    if (isWanted === isWatching || isUseless) return;
    isWatching = isWanted;
    watcher ??= startWatcher({ memory, own: new URL("..", import.meta.url).href });
    watcher.postMessage(isWanted);
    asked += 1;
  }

  /** Waits until the watcher has obeyed: whether it listens is known then. */
  function isSettled(): boolean {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const obeyed = Atomics.load(shared, PLACES.obeyed);
      if (obeyed === asked || isUseless) return true;
      const left = end - performance.now();
      if (left <= 0) return false;
      Atomics.wait(shared, PLACES.obeyed, obeyed, left);
    }
  }

  /**
   * For the time of a script, Node puts a handler of its own in the place of all others, and takes
   * the signal's default action to be there before: a thread that begins to listen meanwhile, or
   * still does, leaves Ctrl-C fatal.
   */
  function runScript(run: (breakOnSigint: boolean) => unknown): unknown {
    watch(false);
    const isFree = isSettled();
    if (!isFree) {
      // Ctrl-C is heard at the end of the script then.
      isUseless = true;
      void watcher?.terminate();
    }
    try {
      return run(isFree);
    } finally {
      watch(true);
    }
  }

  return {
    heard: () => {
      Atomics.add(shared, PLACES.heard, 1);
    },
    around: async (run) => {
      const original = vm.runInThisContext;
      vm.runInThisContext = (
        code: string,
        options?: vm.RunningCodeInNewContextOptions | string,
      ) => {
        const isCell = typeof options === "object" && CELL_FILE.test(options.filename ?? "");
        if (!isCell) return original(code, options);
        // Until here the compiler was at work, which would not survive being cut off.
        return runScript((breakOnSigint) => original(code, { ...options, breakOnSigint }));
      };
      try {
        return await run();
      } finally {
        vm.runInThisContext = original;
        watch(false);
      }
    },
  };
}

function startWatcher(workerData: WatcherData): Worker {
  const watcher = new Worker(WATCHER, { eval: true, workerData });
  watcher.unref();
  // Without it Ctrl-C still ends whatever waits.
  watcher.on("error", () => undefined);
  return watcher;
}
