import { LOOP_PHASES, LOOP_SLOTS } from "./shared-memory-layout.ts";
import { prepareTermination } from "./termination.ts";

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

/** Creates the main thread's half. */
export function createCellThread(runtime: string, shared: Int32Array): CellThread {
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
