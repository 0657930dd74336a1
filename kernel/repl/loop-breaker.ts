import { type Runtime, startWatcher, takeCellScripts } from "../platform/mod.ts";
import { PLACES, WATCHER, type WatcherData } from "./loop-watcher.ts";

/** Ends JavaScript that computes without a break when Ctrl-C is pressed, as far as a runtime can. */
export interface LoopBreaker {
  /** Notes that the main thread has heard of Ctrl-C: it computes no more. */
  heard(): void;
  /** Runs a cell's code within reach. */
  around<T>(run: () => Promise<T>): Promise<T>;
}

/** How long a watcher may take to start, in milliseconds; on a busy machine threads start slowly. */
const PATIENCE = 5_000;

/**
 * Creates a breaker. On Node a second thread ends a loop, and what it cuts off never comes to an end:
 * whoever runs the cell has to stop waiting for it when it is interrupted. Node's own way, a script
 * with `breakOnSigint`, loses a Ctrl-C that comes when the script ends, or lets it end the process. On
 * Bun that is all there is, and Deno can do neither.
 */
export function createLoopBreaker(runtime: Runtime): LoopBreaker {
  const memory = new SharedArrayBuffer(12);
  const shared = new Int32Array(memory);
  const isNode = runtime.name === "node";
  let isWatched = false;

  function runScript(run: (breakOnSigint: boolean) => unknown): unknown {
    if (!isNode) return run(true);
    Atomics.wait(shared, PLACES.listening, 0, PATIENCE);
    // Until here the compiler was at work, which would not survive being cut off.
    Atomics.store(shared, PLACES.breakable, 1);
    return run(false);
  }

  return {
    heard: () => {
      Atomics.add(shared, PLACES.heard, 1);
    },
    around: async (run) => {
      if (isNode && !isWatched) {
        const own = new URL("..", import.meta.url).href;
        startWatcher(WATCHER, { memory, own } satisfies WatcherData);
      }
      isWatched = true;
      const giveBack = takeCellScripts(runScript);
      try {
        return await run();
      } finally {
        Atomics.store(shared, PLACES.breakable, 0);
        giveBack();
      }
    },
  };
}
