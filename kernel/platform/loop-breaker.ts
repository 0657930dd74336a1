import process from "node:process";
import { Worker } from "node:worker_threads";
import { createLoopMemory, LOOP_PHASES, LOOP_SLOTS } from "./loop-memory.ts";
import { currentRuntime } from "./platform.ts";
import type { EndingSignal } from "./signals.ts";
import { prepareTermination } from "./termination.ts";
import type { ToWatcher, WatcherStart } from "./watcher.ts";

interface LoopBreakerSettings {
  /** The signals that end a loop; the process must have handlers for them. SIGINT by default. */
  readonly signals?: readonly EndingSignal[];
  /**
   * Written when a cell can only be ended with the process, which is ended then. Without it the
   * process continues and reports that.
   */
  readonly exitMessage?: string;
  /** Whether loops in timers and callbacks are ended between cells and after the last one, too. */
  readonly endsCallbacks?: boolean;
  /** Whether the process is of another program: no thread is started, and nothing in this one is prepared for it. */
  readonly isGuest?: boolean;
}

/** Milliseconds that a watcher may take to start; on a busy machine threads start slowly. */
const START_TIMEOUT = 5000;
/** Milliseconds after the end of a cell in which loops in its timers are ended as well. */
const CLEANUP_TIME = 100;
/** Milliseconds after the end of a loop within which the signal that ended it is received. */
const SIGNAL_DELAY = 300;

/**
 * Ends JavaScript that computes, as far as a runtime can. A second thread, started with the first
 * cell, receives signals and limits while the main one computes: see {@link createTerminator}.
 */
export class LoopBreaker {
  /** How a session runs the scripts of its cells, and what their loops check. */
  readonly scripts: {
    readonly compiles: () => void;
    readonly run: <T>(script: () => T) => T;
    readonly mustEnd: () => boolean;
  };
  readonly #runtime = currentRuntime().name;
  readonly #memory = createLoopMemory();
  readonly #shared = new Int32Array(this.#memory);
  readonly #thread: CellThread;
  #settings: LoopBreakerSettings;
  #watcher: Worker | undefined;
  /** How many cells are running. */
  #running = 0;
  #limit: number | undefined;
  #limitTimer: ReturnType<typeof setTimeout> | undefined;
  #onAcknowledged = (): void => undefined;

  constructor(settings: LoopBreakerSettings = {}) {
    this.#settings = settings;
    this.#thread = createCellThread(settings.isGuest ? undefined : this.#runtime, this.#shared);
    this.scripts = {
      // A signal that comes while the first cell is compiled ends the code of the cell.
      compiles: () => this.#startWatcher(),
      run: (script) => this.#runScript(script),
      mustEnd: this.#thread.mustEnd,
    };
  }

  configure(settings: LoopBreakerSettings): void {
    this.#settings = settings;
    const { signals = ["SIGINT"], exitMessage } = settings;
    this.#post({ kind: "settings", signals, exitMessage });
  }

  /** Reports that the main thread has received a signal: it does not compute any more. */
  acknowledge(): void {
    this.#thread.acknowledge();
    this.#onAcknowledged();
  }

  /**
   * Runs a cell, whose code may be ended.
   *
   * @param limit Milliseconds from the start of the cell's script after which its code is ended if it
   * still computes; whatever it awaits is the caller's to end. Not for cells that run at the same time: the
   * watcher cannot distinguish which one computes.
   */
  async runCell<T>(run: () => Promise<T>, limit?: number): Promise<T> {
    this.#limit = limit;
    if (this.#running === 0) this.#thread.nextCell();
    this.#running += 1;
    const before = this.#acknowledged;
    try {
      const result = await run();
      if (this.#thread.mustEnd()) await this.#untilAcknowledged();
      return result;
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#cellsEnded(limit, this.#acknowledged !== before);
    }
  }

  #cellsEnded(limit: number | undefined, wereEnded: boolean): void {
    clearTimeout(this.#limitTimer);
    this.#thread.nextCell();
    this.#rest();
    if (limit !== undefined) this.#setLimit(undefined);
    if (wereEnded) this.#endTimers();
  }

  get #acknowledged(): number {
    return Atomics.load(this.#shared, LOOP_SLOTS.acknowledged);
  }

  #runScript<T>(script: () => T): T {
    if (this.#settings.isGuest) return script();
    this.#startWatcher();
    // A worker is started from another thread, so that this one may wait for it.
    Atomics.wait(this.#shared, LOOP_SLOTS.listening, 0, START_TIMEOUT);
    // The compiler, which would not survive a termination, has finished by now.
    const start = performance.now();
    const limit = this.#limit;
    if (limit !== undefined) this.#setLimit(limit);
    try {
      return this.#thread.runScript(script);
    } finally {
      if (limit !== undefined) {
        const left = Math.max(0, start + limit - performance.now());
        this.#limitTimer = setTimeout(() => this.acknowledge(), left);
      }
      if (this.#running === 0) this.#rest();
    }
  }

  /** No cell runs: at a prompt the timers of cells are no reason to end what does. */
  #rest(): void {
    const { endsCallbacks = false } = this.#settings;
    this.#thread.setPhase(endsCallbacks && this.#watcher !== undefined ? "callbacks" : "internal");
  }

  #startWatcher(): void {
    if (this.#watcher !== undefined || this.#settings.isGuest) return;
    // Bun interrupts scripts at a signal only if the process has a handler already.
    process.on("SIGINT", () => undefined);
    const start: WatcherStart = { memory: this.#memory, runtime: this.#runtime };
    const watcher = new Worker(watcherFile(), { workerData: start });
    // Without a watcher Ctrl-C still ends whatever waits.
    watcher.on("error", () => undefined);
    watcher.on("message", () => void process.emit("SIGINT", "SIGINT"));
    // After the listeners, which would keep the process alive again.
    watcher.unref();
    this.#watcher = watcher;
    this.configure(this.#settings);
  }

  #post(message: ToWatcher): void {
    this.#watcher?.postMessage(message);
  }

  #setLimit(limit: number | undefined): void {
    this.#post({ kind: "limit", limit, cell: Atomics.load(this.#shared, LOOP_SLOTS.cell) });
  }

  /** A loop that ends by itself does so before this thread receives the signal. */
  async #untilAcknowledged(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, SIGNAL_DELAY);
      this.#onAcknowledged = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends loops in timers of a cell that was ended; those of later timers are not ended. */
  #endTimers(): void {
    this.#thread.setPhase("callbacks");
    this.#setLimit(0);
    setTimeout(() => {
      // An acknowledgement would be taken for that of the next cell.
      if (this.#running > 0) return;
      this.acknowledge();
      this.#rest();
    }, CLEANUP_TIME).unref();
  }
}

/** The sources run as they are; the package has the watcher elsewhere. */
function watcherFile(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./watcher.ts" : "../kernel/platform/watcher.js", import.meta.url);
}

/** What the main thread, which runs the cells, reports to its watcher. */
export interface CellThread {
  setPhase(phase: keyof typeof LOOP_PHASES): void;
  /** Reports that an interrupt was received, so that nothing is terminated. */
  acknowledge(): void;
  /** Reports the start or end of a cell: an interrupt of another one no longer counts. */
  nextCell(): void;
  /** Runs the script of a cell, which may be terminated. */
  runScript<T>(script: () => T): T;
  /** Whether the code of cells should end. */
  mustEnd(): boolean;
}

/** Creates the main thread's half; without a runtime nothing outside of the code of cells can be terminated. */
export function createCellThread(runtime: string | undefined, shared: Int32Array): CellThread {
  if (runtime === "node") {
    prepareTermination(() => Atomics.load(shared, LOOP_SLOTS.phase) !== LOOP_PHASES.internal);
  }
  const setPhase: CellThread["setPhase"] = (phase) => {
    Atomics.store(shared, LOOP_SLOTS.phase, LOOP_PHASES[phase]);
  };
  const advance = (slot: number): void => {
    Atomics.add(shared, slot, 1);
    Atomics.store(shared, LOOP_SLOTS.mustEnd, 0);
  };
  return {
    setPhase,
    acknowledge: () => advance(LOOP_SLOTS.acknowledged),
    nextCell: () => advance(LOOP_SLOTS.cell),
    runScript: (script) => {
      setPhase("script");
      try {
        return script();
      } finally {
        setPhase("callbacks");
      }
    },
    mustEnd: () => Atomics.load(shared, LOOP_SLOTS.mustEnd) === 1,
  };
}
