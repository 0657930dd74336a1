import type { Worker } from "node:worker_threads";
import { currentRuntime } from "../current.ts";
import { startWatcher, takeCellScripts } from "./cell-scripts.ts";
import { prepareTermination } from "./termination.ts";
import { PHASES, PLACES, WATCHERS } from "./watchers.ts";

/** Ends JavaScript that computes without a break, as far as a runtime can. */
export interface LoopBreaker {
  /** Notes that the main thread has heard of a signal: it computes no more. */
  heard(): void;
  /**
   * Whether the loops of cells are to end because of a signal; there where nothing ends them from
   * outside and somebody is to end them.
   */
  readonly mustEndLoops?: () => boolean;
  /**
   * Runs a cell's code within reach.
   *
   * @param limit Milliseconds from the beginning of the cell's script after which something else ends
   * what it awaits, and this what still computes.
   */
  around<T>(run: () => Promise<T>, limit?: number): Promise<T>;
}

/** What a breaker does. */
export interface LoopBreakerOptions {
  /** The signals that end a loop; the process must have handlers for them. SIGINT unless given. */
  readonly signals?: readonly ("SIGINT" | "SIGTERM")[];
  /**
   * Where a runtime has no way to end what computes: the last words of the process, which is ended
   * then. It goes on where this is left out.
   */
  readonly lastWords?: string;
}

const OBEDIENCE = 5000;
/** So many milliseconds after a cell was ended, its timers' loops are ended too. */
const AFTERMATH = 100;

/**
 * Creates a breaker.
 *
 * - Node: a script ends at Ctrl-C by itself, at any other signal as if it had been Ctrl-C, and a loop
 *   behind an `await` is ended by a second thread.
 * - Deno ends nothing, but a loop may ask whether it must end, and a second thread can end the
 *   process, at a signal and at a limit.
 * - Bun: a script ends at Ctrl-C by itself; a second thread can end the process at a limit.
 */
export function createLoopBreaker({
  signals = ["SIGINT"],
  lastWords,
}: LoopBreakerOptions = {}): LoopBreaker {
  const { name } = currentRuntime();
  const isOfUse = name === "node" || lastWords !== undefined;
  const memory = new SharedArrayBuffer(8 * Int32Array.BYTES_PER_ELEMENT);
  const shared = new Int32Array(memory);
  let watcher: Worker | undefined;
  let isInside = false;
  if (name === "node") prepareTermination();

  function tell(phase: keyof typeof PHASES, limit?: number): void {
    if (!isOfUse) return;
    if (watcher === undefined) {
      if (phase === "own") return;
      watcher = startWatcher(WATCHERS[name], { memory, signals, lastWords });
    }
    Atomics.store(shared, PLACES.phase, PHASES[phase]);
    watcher.postMessage({ phase: PHASES[phase], limit });
  }

  function runScript(run: (breakOnSigint: boolean) => unknown): unknown {
    Atomics.store(shared, PLACES.endLoops, 0);
    tell("script");
    // Node's own handler for scripts leaves Ctrl-C fatal where another thread listens meanwhile. On a
    // busy machine that thread may be slow to hear that it must not.
    return run(Atomics.wait(shared, PLACES.listening, 1, OBEDIENCE) !== "timed-out");
  }

  /** What has been ended may have left a timer behind that computes; later ones meet the exit. */
  function endWhatIsLeft(): void {
    tell("callbacks", 0);
    setTimeout(() => {
      // The next cell is watched for itself: what is heard here would be taken for its answer.
      if (isInside) return;
      heard();
      tell("own");
    }, AFTERMATH).unref();
  }

  function heard(): void {
    Atomics.add(shared, PLACES.heard, 1);
    // A timer of the cell that has ended now may begin a loop still.
    Atomics.store(shared, PLACES.endLoops, 1);
  }

  const mustEndLoops = (): boolean => Atomics.load(shared, PLACES.endLoops) === 1;
  return {
    heard,
    ...(name !== "node" && isOfUse && { mustEndLoops }),
    around: async (run, limit) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const giveBack = takeCellScripts((start) => {
        const begun = performance.now();
        try {
          // Until here the compiler was at work, which would not survive being cut off.
          return runScript(start);
        } finally {
          const rest =
            limit === undefined ? undefined : Math.max(0, begun + limit - performance.now());
          if (rest !== undefined) timer = setTimeout(heard, rest);
          if (isInside) tell("callbacks", rest);
        }
      });
      isInside = true;
      const before = Atomics.load(shared, PLACES.heard);
      try {
        return await run();
      } finally {
        isInside = false;
        clearTimeout(timer);
        giveBack();
        const wasEnded = Atomics.load(shared, PLACES.heard) !== before;
        if (wasEnded && name === "node") endWhatIsLeft();
        else tell("own");
      }
    },
  };
}
