import type { RunningLimit } from "./cell-limit.ts";
import type { ScriptEvents } from "./evaluator.ts";

/** Ends the code of cells from within, at the limit of the running cell too. */
export interface Checkpoint {
  /** The events that were given, with a checkpoint that keeps to the limit. */
  readonly events: ScriptEvents | undefined;
  /** Sets the limit of the running cell. */
  setLimit(limit: RunningLimit | undefined): void;
  /** Whether code was ended with this error while a cell ran, which fails with it. */
  hasEndedWith(error: unknown): boolean;
}

/**
 * @param events What was given for the session; without its `checkpoint` nothing is done.
 * @param end Ends the running cell: it may have caught what its code ended with, or await something
 * while that code is in a timer. True where there is one.
 */
export function createCheckpoint(
  events: ScriptEvents | undefined,
  end: (reason: Error) => boolean,
): Checkpoint {
  let running: RunningLimit | undefined;
  const ended = new WeakSet<Error>();

  function check(): void {
    try {
      if (running?.isOver()) throw running.reason;
      events?.checkpoint?.();
    } catch (error) {
      if (error instanceof Error && end(error)) ended.add(error);
      throw error;
    }
  }

  return {
    events: events?.checkpoint === undefined ? events : { ...events, checkpoint: check },
    setLimit: (limit) => {
      running = limit;
    },
    hasEndedWith: (error) => error instanceof Error && ended.has(error),
  };
}
