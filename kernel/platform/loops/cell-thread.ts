import vm from "node:vm";
import { wakeEars } from "./ears.ts";
import { PHASES, PLACES } from "./places.ts";
import { prepareTermination } from "./termination.ts";

/** What the thread of the cells tells the one that watches it. */
export interface CellThread {
  setPhase(phase: keyof typeof PHASES): void;
  /** Takes an interrupt, so that nobody uses force. */
  taken(): void;
  /** A cell has begun or ended: what was meant for another is over. */
  turn(): void;
  /** Runs the script of a cell within reach of whatever ends scripts from outside. */
  runScript<T>(script: () => T): T;
  /** Whether the loops of cells are to end; where nothing ends them from outside. */
  readonly mustEndLoops: (() => boolean) | undefined;
}

/** Where the script of Bun's that a signal ends finds the cell's. */
const SCRIPT = "__restlab_script__";
/** As it was before a session had its own do more. */
const { runInThisContext } = vm;

/** The half of the main thread, on what the other half is given as well. */
export function createCellThread(runtime: string, shared: Int32Array): CellThread {
  if (runtime === "node") {
    prepareTermination(() => Atomics.load(shared, PLACES.phase) !== PHASES.own);
  }
  const setPhase: CellThread["setPhase"] = (phase) => {
    Atomics.store(shared, PLACES.phase, PHASES[phase]);
  };
  const hold = runtime === "bun" ? breakable : <T>(script: () => T): T => script();

  /** Whatever began last is told of a signal: the ears are to have begun after the script. */
  function breakable<T>(script: () => T): T {
    const run = (): T => {
      wakeEars(shared);
      return script();
    };
    Object.defineProperty(globalThis, SCRIPT, { value: run, configurable: true });
    try {
      return runInThisContext(`${SCRIPT}()`, { breakOnSigint: true }) as T;
    } finally {
      Reflect.deleteProperty(globalThis, SCRIPT);
      Atomics.store(shared, PLACES.strike, 0);
      Atomics.notify(shared, PLACES.strike);
    }
  }

  return {
    setPhase,
    taken: () => {
      Atomics.add(shared, PLACES.taken, 1);
      Atomics.store(shared, PLACES.endLoops, 0);
    },
    turn: () => {
      Atomics.add(shared, PLACES.cell, 1);
      Atomics.store(shared, PLACES.endLoops, 0);
    },
    runScript: (script) => {
      setPhase("script");
      try {
        return hold(script);
      } finally {
        setPhase("callbacks");
      }
    },
    mustEndLoops:
      runtime === "node" ? undefined : () => Atomics.load(shared, PLACES.endLoops) === 1,
  };
}
