import type { Client, Exchange, Question } from "../../lib/mod.ts";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import type { Candidate } from "../session/cell/mod.ts";
import type { Cell, Session } from "../session/mod.ts";
import type { TerminalPrinter } from "../terminal/mod.ts";
import { declaresBareWord } from "./entry/mod.ts";
import type { Journal } from "./journal.ts";
import { Runner } from "./runner.ts";
import type { TerminalOutput } from "./terminal-output.ts";

/** What a prompt offers to its commands. */
interface PromptServices {
  readonly journal: Journal;
  readonly documents: Documents;
  /** Sets the variables of the command line. */
  setInitialVariables(): void;
  /** Asks the person; `undefined` without an answer. */
  ask(question: Question): Promise<string | undefined>;
  /** Opens a text in an external editor and returns what was saved. */
  openEditor(text: string): Promise<string>;
  /** Inserts a text at the next prompt. */
  prefill(text: string): void;
  quit(): void;
}

/** The prompt, as commands use it. */
export interface Shell extends PromptServices {
  readonly session: Session;
  readonly client: Client;
  readonly platform: Platform;
  readonly errors: TerminalPrinter;
  /** The time limit of requests in milliseconds, unless `.timeout` sets another. */
  readonly timeout: number;
  /** The cell that was run last. */
  lastCell(): Cell | undefined;
  /** Whether an entry has declared a name such as `exit`. */
  declares(word: string): boolean;
  /** Runs a cell; resolves to whether it succeeded. */
  run(cell: Cell): Promise<boolean>;
  /** Runs an action with a progress line; Ctrl-C ends its requests. */
  withProgress<T>(label: string, action: () => Promise<T>): Promise<T>;
  print(text: string): void;
  /** Shows in the pager what `print` writes to its printer, in lines cut to a width; that of the terminal by default. */
  page(print: (printer: TerminalPrinter) => void, columns?: number): Promise<void>;
  /** Shows text in the pager, highlighted as a language. */
  pageText(text: string, language?: "json" | "request"): Promise<void>;
  /** Shows an answer as after sending. */
  show(exchange: Exchange): Promise<void>;
  clearScreen(): void;
}

const DEFAULT_TIMEOUT = 30;

/** Creates the shell of a prompt. */
export function createShell(
  session: Session,
  platform: Platform,
  breaker: LoopBreaker,
  output: TerminalOutput,
  { timeout = DEFAULT_TIMEOUT, ...services }: PromptServices & { readonly timeout?: number },
): Shell {
  const { client, settings } = session;
  const runner = new Runner(session, platform, breaker, output);
  let lastCell: Cell | undefined;
  let code = "";
  return {
    ...services,
    session,
    client,
    platform,
    errors: output.errors,
    timeout: timeout * 1000,
    lastCell: () => lastCell,
    declares: (word) => declaresBareWord(code, word),
    run: async (cell) => {
      lastCell = cell;
      const { kind, source } = cell;
      // A script of the entry may change them.
      const headers = new Map(settings.headers);
      const isOk = await runner.run(cell);
      if (kind === "typescript") code += `${source}\n`;
      if (isOk) services.journal.add(source, headers);
      return isOk;
    },
    withProgress: (label, action) => runner.withProgress(label, action),
    print: (text) => output.printer.line(text),
    page: (print, columns) => output.page(print, columns),
    pageText: (text, language) => output.pageText(text, language),
    show: (exchange) => output.show(exchange),
    clearScreen: () => platform.stdout.write("\u001b[H\u001b[2J"),
  };
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
  read(path: string, platform: Platform): Promise<readonly DocumentEntry[]>;
  /**
   * Renders cells in the format of the path's extension.
   *
   * @throws {Error} No format has that extension.
   */
  render(path: string, entries: readonly string[]): Promise<string>;
}
