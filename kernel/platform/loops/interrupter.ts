import { setTimeout } from "node:timers/promises";
import { PHASES, PLACES } from "./shared-memory-layout.ts";
import type { Force } from "./terminator.ts";

/** Ends what the running cell does, however it does it. */
export interface Interrupter {
  /**
   * @param cell The cell that is meant, by what `PLACES.cell` counts; the running one unless given.
   * @returns False where it goes on.
   */
  interrupt(cell?: number): Promise<boolean>;
}

/** What an interrupter works with. */
export interface InterrupterOptions {
  readonly shared: Int32Array;
  readonly force: Force;
  /** Asks the cells' thread to interrupt. */
  readonly tell: () => void;
  /** The cells' thread takes an interrupt within so many milliseconds when no cell computes. */
  readonly patience: number;
}

/** What it has after each use of force; Bun takes a third of a second to end a script. */
const AFTER_FORCE = 220;
/** Loading and checking TypeScript must not be cut off in the middle; it takes less than this. */
const LONGEST_COMPILATION = 10_000;
/** A cell may have left several loops behind. */
const ROUNDS = 3;
const STEP = 5;

/** Creates an interrupter, for another thread than that of the cells. */
export function createInterrupter(options: InterrupterOptions): Interrupter {
  const { shared, force, tell, patience } = options;
  const at = (place: keyof typeof PLACES): number => Atomics.load(shared, PLACES[place]);

  async function interrupt(cell = at("cell")): Promise<boolean> {
    const taken = at("taken");
    const isTaken = (): boolean => at("taken") !== taken || at("cell") !== cell;
    const isOwn = (): boolean => at("phase") === PHASES.own;
    tell();
    if (await waitFor(isTaken, patience)) return true;
    const end = performance.now() + LONGEST_COMPILATION;
    for (let round = 0; round < ROUNDS && performance.now() < end; ) {
      // Work of our own comes to its end by itself.
      await waitFor(() => isTaken() || !isOwn(), LONGEST_COMPILATION);
      if (isTaken()) return true;
      if (await force.use(() => isTaken() || isOwn())) round += 1;
      if (await waitFor(isTaken, AFTER_FORCE)) return true;
    }
    return false;
  }

  return { interrupt };
}

async function waitFor(condition: () => boolean, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > end) return false;
    await setTimeout(STEP);
  }
  return true;
}
