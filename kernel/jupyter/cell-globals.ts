import { AsyncContext } from "../platform/mod.ts";
import { InterruptedError } from "../session/cell/mod.ts";
import type { Channels, Job } from "./channels.ts";
import type { CellPublisher } from "./execute.ts";

/** Declarations of the globals that cells have in Jupyter only. */
export const GLOBAL_TYPES = `
  /** Asks for a line of text and waits for it. */
  function prompt(message?: string, defaultValue?: string): string | null;
  namespace prompt {
    /** Asks for a line of text that is hidden while it is typed. */
    function password(message?: string): string;
  }
  /** Asks a question that is answered with y or n. */
  function confirm(message?: string): boolean;
  /** Removes the cell's output; with \`wait\` only when the next output comes. */
  function clearOutput(options?: { readonly wait?: boolean }): void;
`;

interface CellGlobals {
  readonly [name: string]: unknown;
  readonly prompt: {
    (message?: unknown, defaultValue?: unknown): string;
    password(message?: unknown): string;
  };
}

/**
 * Creates the globals that cells have in Jupyter only.
 *
 * @param interrupt Ends the cell whose question was interrupted: it might catch the error.
 */
export function createCellGlobals(channels: Channels, interrupt: () => void): CellGlobals {
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

  const prompt = (message: unknown = "", defaultValue: unknown = ""): string => {
    const [text, otherwise] = [String(message), String(defaultValue)];
    const shown = otherwise === "" ? text : `${text.trimEnd()} [${otherwise}] `.trimStart();
    return ask("prompt", shown, false) || otherwise;
  };
  const password = (message: unknown = "Password"): string => ask("prompt", String(message), true);

  return {
    prompt: Object.assign(prompt, { password }),
    confirm: (message: unknown = ""): boolean =>
      /^y/i.test(ask("confirm", `${String(message)} [y/N] `, false).trim()),
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
