import { PHASES, PLACES } from "./shared-memory-layout.ts";
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
  /** Whether the code of cells is to end: it looks now and then. */
  mustEnd(): boolean;
}

/** The half of the main thread, on what the other half is given as well. */
export function createCellThread(runtime: string, shared: Int32Array): CellThread {
  if (runtime === "node") {
    prepareTermination(() => Atomics.load(shared, PLACES.phase) !== PHASES.own);
  }
  const setPhase: CellThread["setPhase"] = (phase) => {
    Atomics.store(shared, PLACES.phase, PHASES[phase]);
  };
  return {
    setPhase,
    taken: () => {
      Atomics.add(shared, PLACES.taken, 1);
      Atomics.store(shared, PLACES.mustEnd, 0);
    },
    turn: () => {
      Atomics.add(shared, PLACES.cell, 1);
      Atomics.store(shared, PLACES.mustEnd, 0);
    },
    runScript: (script) => {
      setPhase("script");
      try {
        return script();
      } finally {
        setPhase("callbacks");
      }
    },
    mustEnd: () => Atomics.load(shared, PLACES.mustEnd) === 1,
  };
}
