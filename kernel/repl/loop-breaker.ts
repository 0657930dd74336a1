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
const PLACES = { heard: 0, watching: 1 } as const;

/**
 * A thread that hears Ctrl-C while the main one computes; `process.on` hears no signals in a worker,
 * but what it is made of does.
 */
const WATCHER = `
const { workerData, parentPort } = require("node:worker_threads");
const { Session } = require("node:inspector");
const shared = new Int32Array(workerData);
process.emitWarning = () => undefined;
const { Signal } = process.binding("signal_wrap");
const watcher = new Signal();
const SIGINT = 2;
watcher.onsignal = () => {
  const before = Atomics.load(shared, ${PLACES.heard});
  setTimeout(() => {
    if (Atomics.load(shared, ${PLACES.watching}) === 0) return;
    if (Atomics.load(shared, ${PLACES.heard}) !== before) return;
    terminate();
  }, 300);
};
function terminate() {
  const session = new Session();
  session.connectToMainThread();
  session.on("Debugger.paused", ({ params }) => {
    const { callFrameId } = params.callFrames[0];
    session.post("Debugger.evaluateOnCallFrame", { callFrameId, expression: CLEAR }, () => undefined);
    session.post("Runtime.terminateExecution", () => undefined);
    session.post("Debugger.resume", () => session.disconnect());
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}
// What is cut off leaves its places on Node's stack of async contexts, and Node ends itself when it
// finds them. An exception that nobody catches clears that stack in the same way.
const CLEAR = \`{
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  process.binding("async_wrap").clearAsyncIdStack();
  process.emitWarning = emitWarning;
}\`;
parentPort.on("message", (isWanted) => {
  if (isWanted) watcher.start(SIGINT);
  else watcher.stop();
  Atomics.store(shared, ${PLACES.watching}, isWanted ? 1 : 0);
  Atomics.notify(shared, ${PLACES.watching});
});
`;

/**
 * Creates a breaker. A cell's script ends at Ctrl-C by itself (Node, Bun); a loop behind an `await`
 * is ended by a second thread (Node). Deno can do neither.
 */
export function createLoopBreaker(runtime: Runtime): LoopBreaker {
  const memory = new SharedArrayBuffer(8);
  const shared = new Int32Array(memory);
  let watcher: Worker | undefined;
  let isWatching = false;

  function watch(isWanted: boolean): void {
    if (isWanted === isWatching || runtime.name !== "node") return;
    isWatching = isWanted;
    watcher ??= startWatcher(memory);
    watcher.postMessage(isWanted);
  }

  function runScript(run: () => unknown): unknown {
    // Node's own handler for scripts leaves Ctrl-C fatal where another thread listens meanwhile.
    Atomics.wait(shared, PLACES.watching, 1, 1000);
    try {
      return run();
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
        return runScript(() => original(code, { ...options, breakOnSigint: true }));
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

function startWatcher(memory: SharedArrayBuffer): Worker {
  const watcher = new Worker(WATCHER, { eval: true, workerData: memory });
  watcher.unref();
  // Without it Ctrl-C still ends whatever waits.
  watcher.on("error", () => undefined);
  return watcher;
}
