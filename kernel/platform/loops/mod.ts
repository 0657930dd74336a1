/**
 * Ends code that computes: a watcher thread, shared memory, signals, and how each runtime terminates
 * a script.
 */

export { type CellThread, createCellThread } from "./cell-thread.ts";
export { interruptCell } from "./interrupt-cell.ts";
export { limitTime } from "./limit-time.ts";
export { listenForSignals } from "./listen-for-signals.ts";
export { LoopBreaker } from "./loop-breaker.ts";
export { createLoopMemory, LOOP_PHASES, LOOP_SLOTS } from "./shared-memory-layout.ts";
export { createTerminator } from "./terminator.ts";
