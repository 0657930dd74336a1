import type { Client, Exchange, Question } from "../../lib/mod.ts";
import type { Platform } from "../platform/mod.ts";
import type { Candidate } from "../session/cell/mod.ts";
import type { Cell, Session } from "../session/mod.ts";
import type { TerminalPrinter } from "../terminal/mod.ts";
import type { Journal } from "./journal.ts";

/** The prompt, as commands use it. */
export interface Shell {
  readonly session: Session;
  readonly client: Client;
  readonly platform: Platform;
  readonly journal: Journal;
  /** Sets the variables of the command line. */
  setInitialVariables(): void;
  readonly documents: Documents;
  /** The cell that was run last. */
  lastCell(): Cell | undefined;
  print(text: string): void;
  /** Shows in the pager what `print` writes to its printer. */
  page(print: (printer: TerminalPrinter) => void): Promise<void>;
  /** Shows text in the pager, highlighted as a language. */
  pageText(text: string, language?: "json" | "request"): Promise<void>;
  /** Shows an answer as after sending. */
  show(exchange: Exchange): Promise<void>;
  /** Whether an entry has declared a name such as `exit`. */
  declares(word: string): boolean;
  /** The time limit of requests in milliseconds, unless `.timeout` sets another. */
  readonly timeout: number;
  /** Runs a cell; resolves to whether it succeeded. */
  run(cell: Cell): Promise<boolean>;
  /** Runs an action with a progress line; Ctrl-C ends its requests. */
  withProgress<T>(label: string, action: () => Promise<T>): Promise<T>;
  /** Asks the person; `undefined` without an answer. */
  ask(question: Question): Promise<string | undefined>;
  /** Opens a text in an external editor and returns what was saved. */
  openEditor(text: string): Promise<string>;
  /** Inserts a text at the next prompt. */
  prefill(text: string): void;
  clearScreen(): void;
  quit(): void;
}

/** The arguments of a command while they are typed. */
export interface Typed {
  /** The part of the current word before the cursor. */
  readonly word: string;
  readonly before: readonly string[];
  readonly client: Client;
  readonly directory: string;
}

export type Choice = Pick<Candidate, "text" | "detail">;

/** The words that begin with what was typed. */
export function choicesOf(words: Iterable<string>, { word }: Pick<Typed, "word">): Choice[] {
  return [...words].filter((one) => one.startsWith(word)).map((text) => ({ text }));
}

export interface Command {
  readonly name: string;
  /** The arguments, for `.help`; empty for none. */
  readonly usage: string;
  /** One line for `.help`. */
  readonly summary: string;
  /** Examples for `.help NAME`, with a remark if needed. */
  readonly examples?: readonly (readonly [line: string, remark?: string])[];
  readonly run: (argument: string, shell: Shell) => void | Promise<void>;
  /** Candidates for the argument that is being typed. */
  readonly complete?: (typed: Typed) => readonly Choice[] | Promise<readonly Choice[]>;
}

/** A command cannot be run as it was typed; the message says why. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

interface DocumentEntry {
  readonly text: string;
  /** The line on which it begins, from 1, in a file of requests, whose cells are never TypeScript. */
  readonly line?: number;
}

/**
 * Reads and renders files with cells. The prompt itself knows no file format; the program passes this
 * in.
 */
export interface Documents {
  /**
   * Reads the runnable cells of a `.ipynb`, `.http` or `.rest` file.
   *
   * @throws {Error} The file cannot be read; the message names it and says why.
   */
  read(path: string): Promise<readonly DocumentEntry[]>;
  /**
   * Renders cells in the format of the path's extension.
   *
   * @throws {Error} No format has that extension.
   */
  render(path: string, entries: readonly string[]): Promise<string>;
}
