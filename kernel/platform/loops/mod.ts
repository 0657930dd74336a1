/**
 * Ends code that computes: a watching thread, shared memory, signals, and each runtime's way to terminate
 * a script.
 */

export { type CellThread, createCellThread } from "./cell-thread.ts";
export { createInterrupter } from "./interrupter.ts";
export { hearSignals } from "./listen-for-signals.ts";
export { createLoopBreaker, type LoopBreaker } from "./loop-breaker.ts";
export { createLoopMemory, PHASES, PLACES } from "./shared-memory-layout.ts";
export { createForce } from "./terminator.ts";
