/** The indices of the memory that the main thread and its watcher share. */
export const LOOP_SLOTS = {
  /** How many interrupts the main thread has acknowledged. */
  acknowledged: 0,
  /** One of {@link LOOP_PHASES}: what the main thread runs. */
  phase: 1,
  /** 1 while the code of cells should end by itself, if it can. */
  mustEnd: 2,
  /** 1 once signals are received while a cell computes. */
  listening: 3,
  /** Counts the starts and ends of cells, so that an interrupt of one does not reach the next. */
  cell: 4,
  /** How much the main thread has posted that its watcher has not handled yet. */
  unread: 5,
} as const;

/** What the main thread can be busy with. */
export const LOOP_PHASES = {
  /** restlab itself and the compiler, which would not survive a termination. */
  internal: 0,
  /** Callbacks of a cell: promises, timers. */
  callbacks: 1,
  /** The script of a cell, up to its first `await`. */
  script: 2,
} as const;

/** Creates the memory that both threads share. */
export function createLoopMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Object.keys(LOOP_SLOTS).length);
}
