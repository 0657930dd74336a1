import { AsyncContext } from "../platform/mod.ts";
import {
  createQuestions,
  InterruptedError,
  QUESTION_TYPES,
  type Questions,
} from "../session/cell/mod.ts";
import type { Channels, Job } from "./channels.ts";
import type { CellPublisher } from "./execute.ts";

/** Declarations of the globals that cells have in Jupyter. */
export const GLOBAL_TYPES: string = `${QUESTION_TYPES}
  /** Removes the cell's output; with \`wait\` only when the next output comes. */
  function clearOutput(options?: { readonly wait?: boolean }): void;
`;

/**
 * Creates the globals that cells have in Jupyter only.
 *
 * @param interrupt Ends the cell whose question was interrupted: it might catch the error.
 */
export function createCellGlobals(channels: Channels, interrupt: () => void): Questions {
  function ask(action: string, message: string, password: boolean): string {
    const cell = currentCell(action);
    if (!cell.allowsInput) {
      throw new Error(`Asking "${message}" failed: this front end does not support input`);
    }
    if (cell.hasEnded) throw new Error(`Asking "${message}" failed: the cell has ended`);
    try {
      return channels.ask(cell.job, message, password);
    } catch (error) {
      if (error instanceof InterruptedError) interrupt();
      throw error;
    }
  }

  return {
    ...createQuestions(ask),
    clearOutput: ({ wait = false }: { readonly wait?: boolean } = {}): void =>
      currentCell("clearOutput").publisher.clear(wait),
  };
}

function currentCell(action: string): RunningCell {
  const cell = cells.get();
  if (cell !== undefined) return cell;
  throw new Error(`Calling ${action} failed: no cell is running`);
}

/** The cell on whose behalf code runs, through promises and timers. */
interface RunningCell {
  readonly job: Job;
  readonly publisher: CellPublisher;
  readonly allowsInput: boolean;
  /** Set when its reply is sent; its timers may still run. */
  hasEnded: boolean;
}

/** The cell that the running code belongs to. */
export const cells: AsyncContext<RunningCell> = new AsyncContext();
