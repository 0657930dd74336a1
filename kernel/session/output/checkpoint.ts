import type { RunningLimit, ScriptEvents } from "../cell/mod.ts";
import { type CellOutput, currentOutput } from "./output.ts";

/** The TypeScript cell that is running. */
export interface CheckedCell {
  readonly output: CellOutput;
  readonly limit: RunningLimit | undefined;
  /** Ends it and what it has begun: it may have caught what its code ends with, or await something. */
  end(reason: Error): void;
}

/** What the code of cells calls now and then; what it throws ends that code. */
export interface Checkpoint {
  /** The events that were given, with a checkpoint that keeps to owners and limits. */
  readonly events: ScriptEvents | undefined;
  /** Sets the running cell. */
  setRunning(cell: CheckedCell | undefined): void;
}

/** So many milliseconds after the running cell was ended, nobody else is taken for what was meant. */
const AFTERMATH = 1000;

/** @param events What was given for the session; without its `checkpoint` nothing is done. */
export function createCheckpoint(events: ScriptEvents | undefined): Checkpoint {
  let running: CheckedCell | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;

  /** The timer of a limit hears nothing while a cell computes. */
  function keepToLimit(): void {
    const limit = running?.limit;
    if (limit?.isOver()) running?.end(limit.reason);
  }

  function look(output: CellOutput | undefined): void {
    try {
      events?.checkpoint?.();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const isOther = output !== running?.output;
      // The flag stays up for a moment after the cell that it was meant for: what comes to a checkpoint
      // then is in nobody's way.
      const wasMeant = running?.output.owner.reason !== undefined;
      if (isOther && wasMeant && performance.now() - endedAt < AFTERMATH) return;
      if (!wasMeant) {
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

  /** @returns What was given: the code calls it with what it has awaited. */
  function check<T>(awaited?: T): T | undefined {
    const output = currentOutput();
    keepToLimit();
    throwIfEnded(output);
    look(output);
    return awaited;
  }

  return {
    events: events?.checkpoint === undefined ? events : { ...events, checkpoint: check },
    setRunning: (cell) => {
      running = cell;
      endedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function throwIfEnded(output: CellOutput | undefined): void {
  const reason = output?.owner.reason;
  if (reason !== undefined) throw reason;
}
