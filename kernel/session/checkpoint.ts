import type { RunningLimit, ScriptEvents } from "./cell/mod.ts";
import { type CellOutput, currentOutput } from "./output.ts";

/** The TypeScript cell that is running. */
export interface CheckedCell {
  readonly output: CellOutput;
  readonly limit: RunningLimit | undefined;
  /** Ends it and what it began: its code may catch what a checkpoint throws, or await something. */
  end(reason: Error): void;
}

/** A function that the code of cells calls regularly, and that ends the code by throwing. */
export interface Checkpoint {
  /** The given events, with a checkpoint that respects owners and limits. */
  readonly events: ScriptEvents | undefined;
  /** Sets the running cell. */
  setRunning(cell: CheckedCell | undefined): void;
}

/** Milliseconds after the end of the running cell in which no other code is ended in its place. */
const GRACE = 1000;

/** The check of the session of each cell: the code of all sessions of a process calls the same function. */
const CHECKS = new WeakMap<CellOutput, Check>();

type Check = <T>(awaited?: T) => T | undefined;

/** @param events The events of the session; without a `checkpoint` nothing is checked. */
export function createCheckpoint(events: ScriptEvents | undefined): Checkpoint {
  let running: CheckedCell | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;

  /** While a cell computes the timer of its limit does not fire. */
  function checkLimit(): void {
    const limit = running?.limit;
    if (limit?.isOver()) running?.end(limit.reason);
  }

  function checkEvents(output: CellOutput | undefined): void {
    try {
      events?.checkpoint?.();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const isOther = output !== running?.output;
      // The events keep throwing for a moment after the running cell was ended: other code that reaches
      // a checkpoint then is not meant.
      const hasEnded = running?.output.owner.reason !== undefined;
      if (isOther && hasEnded && performance.now() - endedAt < GRACE) return;
      if (!hasEnded) {
        running?.end(error);
        endedAt = performance.now();
      }
      if (isOther && output !== undefined) {
        output.fail(error);
        output.owner.end(error);
      }
      throw error;
    }
  }

  /** @returns Its argument: the code passes what it has awaited. */
  function checkCurrent<T>(awaited?: T): T | undefined {
    const output = currentOutput();
    const own = (output && CHECKS.get(output)) ?? check;
    return own(awaited);
  }

  function check<T>(awaited?: T): T | undefined {
    const output = currentOutput();
    checkLimit();
    const reason = output?.owner.reason;
    if (reason !== undefined) throw reason;
    checkEvents(output);
    return awaited;
  }

  return {
    events: events?.checkpoint === undefined ? events : { ...events, checkpoint: checkCurrent },
    setRunning: (cell) => {
      running = cell;
      if (cell !== undefined) CHECKS.set(cell.output, check);
      endedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
