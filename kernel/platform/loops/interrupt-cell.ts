import { setTimeout } from "node:timers/promises";
import { LOOP_PHASES, LOOP_SLOTS } from "./shared-memory-layout.ts";
import type { Terminator } from "./terminator.ts";

/** How a cell is interrupted. */
interface InterruptOptions {
  readonly shared: Int32Array;
  readonly terminator: Terminator;
  /** Asks the main thread to interrupt. */
  readonly notify: () => void;
  /** Milliseconds within which the main thread acknowledges an interrupt if no cell computes. */
  readonly patience: number;
  /** The cell, as `LOOP_SLOTS.cell` counts; the running one by default. */
  readonly cell?: number | undefined;
}

/** Milliseconds that a termination may take; Bun needs a third of a second to end a script. */
const TERMINATION_TIME = 220;
/** Loading and checking TypeScript must not be terminated; it takes less than this. */
const LONGEST_COMPILATION = 10_000;
/** A cell may have left several loops. */
const ROUNDS = 3;
const STEP = 5;

/**
 * Interrupts a cell from another thread than the main one, whether the cell waits or computes.
 *
 * @returns False if the cell continues.
 */
export async function interruptCell(options: InterruptOptions): Promise<boolean> {
  const { shared, terminator, notify, patience } = options;
  const read = (slot: keyof typeof LOOP_SLOTS): number => Atomics.load(shared, LOOP_SLOTS[slot]);
  const cell = options.cell ?? read("cell");
  const acknowledged = read("acknowledged");
  const isOver = (): boolean => read("acknowledged") !== acknowledged || read("cell") !== cell;
  const isInternal = (): boolean => read("phase") === LOOP_PHASES.internal;

  notify();
  if (await waitFor(isOver, patience)) return true;
  const end = performance.now() + LONGEST_COMPILATION;
  for (let round = 0; round < ROUNDS && performance.now() < end; ) {
    // restlab's own work ends by itself.
    await waitFor(() => isOver() || !isInternal(), LONGEST_COMPILATION);
    if (isOver()) return true;
    if (await terminator.terminate(() => isOver() || isInternal())) round += 1;
    if (await waitFor(isOver, TERMINATION_TIME)) return true;
  }
  return false;
}

async function waitFor(condition: () => boolean, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > end) return false;
    await setTimeout(STEP);
  }
  return true;
}
