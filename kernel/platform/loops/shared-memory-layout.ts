/** Words of memory that the cells' thread and the one that watches it share. */
export const PLACES = {
  /** How often the cells' thread has taken an interrupt. */
  taken: 0,
  /** One of {@link PHASES}: what the cells' thread is at. */
  phase: 1,
  /** 1 while the code of cells is to end by itself, where it can. */
  mustEnd: 2,
  /** 1 once signals are heard while a cell computes. */
  listening: 3,
  /** Counts the beginnings and ends of cells; what is meant for one does not reach the next. */
  cell: 4,
} as const;

/** What can hold the cells' thread up. */
export const PHASES = {
  /** Work of our own, the compiler's above all, which would not survive being cut off. */
  own: 0,
  /** What a cell has left behind: promises, timers. */
  callbacks: 1,
  /** The script of a cell, up to its first `await`. */
  script: 2,
} as const;

/** The memory that both threads see. */
export function createLoopMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Object.keys(PLACES).length);
}
