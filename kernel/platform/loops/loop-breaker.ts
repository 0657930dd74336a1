import process from "node:process";
import { Worker } from "node:worker_threads";
import { currentRuntime } from "../runtime/mod.ts";
import { createCellThread } from "./cell-thread.ts";
import type { EndingSignal } from "./listen-for-signals.ts";
import { createLoopMemory, PLACES } from "./shared-memory-layout.ts";
import type { ToWatcher, WatcherStart } from "./watcher.ts";

/** Ends JavaScript that computes without a break, as far as a runtime can. */
export interface LoopBreaker {
  /** What a session runs the scripts of its cells with, and asks in their loops. */
  readonly scripts: {
    readonly run: <T>(script: () => T) => T;
    readonly mustEnd: () => boolean;
  };
  /** Notes that the main thread has heard of a signal: it computes no more. */
  heard(): void;
  /**
   * Runs a cell's code within reach.
   *
   * @param limit Milliseconds from the beginning of the cell's script after which something else ends
   * what it awaits, and this what still computes.
   */
  around<T>(run: () => Promise<T>, limit?: number): Promise<T>;
  /** Changes what it does. */
  settle(settings: LoopBreakerSettings): void;
}

/** What a breaker does. */
export interface LoopBreakerSettings {
  /** The signals that end a loop; the process must have handlers for them. SIGINT unless given. */
  readonly signals?: readonly EndingSignal[];
  /**
   * Where a cell can be ended in no other way: the last words of the process, which is ended then. It
   * goes on where this is left out, and says so.
   */
  readonly lastWords?: string;
}

/** How long a watcher may take to start, in milliseconds; on a busy machine threads start slowly. */
const OBEDIENCE = 5000;
/** So many milliseconds after a cell was ended, its timers' loops are ended too. */
const AFTERMATH = 100;
/** So many milliseconds after a loop has ended, this thread has heard why. */
const LATENESS = 300;

/**
 * Creates a breaker. A second thread, which is there from the first script on, hears signals and limits
 * while the main one computes, and ends what that does: see {@link createForce}.
 */
export function createLoopBreaker(given: LoopBreakerSettings = {}): LoopBreaker {
  const runtime = currentRuntime().name;
  const memory = createLoopMemory();
  const shared = new Int32Array(memory);
  const thread = createCellThread(runtime, shared);
  let settings = given;
  let watcher: Worker | undefined;
  let isInside = false;
  let limit: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onHeard = (): void => undefined;

  const tell = (message: ToWatcher): void => watcher?.postMessage(message);

  function settle({ signals = ["SIGINT"], lastWords }: LoopBreakerSettings): void {
    settings = { signals, ...(lastWords !== undefined && { lastWords }) };
    tell({ kind: "settings", signals, lastWords });
  }

  const tellLimit = (milliseconds: number | undefined): void =>
    tell({ kind: "limit", limit: milliseconds, cell: Atomics.load(shared, PLACES.cell) });

  function watch(): void {
    if (watcher !== undefined) return;
    // Bun lets its scripts hear of a signal only where the process has a handler already.
    process.on("SIGINT", () => undefined);
    const start: WatcherStart = { memory, runtime };
    watcher = new Worker(watcherFile(), { workerData: start });
    // Without it Ctrl-C still ends whatever waits.
    watcher.on("error", () => undefined);
    watcher.on("message", () => void process.emit("SIGINT", "SIGINT"));
    // Listening to it would keep the process alive again.
    watcher.unref();
    settle(settings);
    Atomics.wait(shared, PLACES.listening, 0, OBEDIENCE);
  }

  function run<T>(script: () => T): T {
    watch();
    // Until here the compiler was at work, which would not survive being cut off.
    const begun = performance.now();
    if (limit !== undefined) tellLimit(limit);
    try {
      return thread.runScript(script);
    } finally {
      if (limit !== undefined)
        timer = setTimeout(heard, Math.max(0, begun + limit - performance.now()));
      if (!isInside) thread.setPhase("own");
    }
  }

  function heard(): void {
    thread.taken();
    onHeard();
  }

  /** A loop that ends from within does so before this thread hears of the signal: nothing else is meant. */
  async function whenHeard(): Promise<void> {
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, LATENESS);
      onHeard = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  /** What has been ended may have left a timer behind that computes; later ones meet the exit. */
  function endWhatIsLeft(): void {
    thread.setPhase("callbacks");
    tellLimit(0);
    setTimeout(() => {
      // The next cell is watched for itself: what is heard here would be taken for its answer.
      if (isInside) return;
      heard();
      thread.setPhase("own");
    }, AFTERMATH).unref();
  }

  return {
    scripts: { run, mustEnd: thread.mustEnd },
    heard,
    settle,
    around: async (action, given) => {
      limit = given;
      isInside = true;
      thread.turn();
      const before = Atomics.load(shared, PLACES.taken);
      try {
        const ended = await action();
        if (thread.mustEnd()) await whenHeard();
        return ended;
      } finally {
        isInside = false;
        clearTimeout(timer);
        const wasEnded = Atomics.load(shared, PLACES.taken) !== before;
        thread.turn();
        thread.setPhase("own");
        if (limit !== undefined) tellLimit(undefined);
        if (wasEnded) endWhatIsLeft();
      }
    },
  };
}

/** The sources run as they are; the package has the watcher at a place of its own. */
function watcherFile(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./watcher.ts" : "../kernel/platform/watcher.js", import.meta.url);
}
