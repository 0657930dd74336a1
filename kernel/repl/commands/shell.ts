import type { Client, Exchange } from "../../../lib/mod.ts";
import type { Platform } from "../../platform/mod.ts";
import type { Candidate, Session } from "../../session/mod.ts";
import type { TerminalPrinter } from "../../terminal/mod.ts";
import type { Journal } from "../journal/mod.ts";
import type { Documents } from "./documents.ts";

/** What a command works on. */
export interface Shell {
  readonly session: Session;
  readonly client: Client;
  readonly platform: Platform;
  readonly journal: Journal;
  /** Sets what the session began with: the variables of the command line. */
  begin(): void;
  readonly documents: Documents | undefined;
  /** The latest entry that was no command. */
  readonly latest: () => string | undefined;
  say(text: string): void;
  /** Prints what may be longer than the screen; `print` writes with the printer it is given. */
  page(print: (printer: TerminalPrinter) => void): Promise<void>;
  /** Prints raw text in the colours of a language. */
  pageText(text: string, language?: "json" | "request"): Promise<void>;
  /** Shows an answer as it is shown when it comes. */
  show(exchange: Exchange): Promise<void>;
  /** Whether what was run gives a word such as `exit` a meaning of its own. */
  names(word: string): boolean;
  /** Milliseconds that a request may take where nothing else is set. */
  readonly timeout: number;
  /** Runs an entry; whether it ended well. */
  run(entry: string): Promise<boolean>;
  /** Does what may take a while, so that Ctrl-C ends it. */
  busy<T>(label: string, action: () => Promise<T>): Promise<T>;
  /** Lets the person write elsewhere. */
  openEditor(text: string): Promise<string>;
  /** Puts a text at the next prompt. */
  offer(text: string): void;
  clearScreen(): void;
  quit(): void;
}

/** What is being typed behind a command's name. */
export interface Typed {
  /** What there is of the word before the cursor. */
  readonly word: string;
  /** The whole words before it. */
  readonly before: readonly string[];
  readonly client: Client;
  /** The folder that names of files start from. */
  readonly directory: string;
}

/** One way to go on with a word, and a few words about it. */
export type Choice = Pick<Candidate, "text" | "detail">;

/** Those of some words that go on with what is typed. */
export function choicesOf(words: Iterable<string>, { word }: Pick<Typed, "word">): Choice[] {
  return [...words].filter((one) => one.startsWith(word)).map((text) => ({ text }));
}

/** One command of the prompt. */
export interface Command {
  readonly name: string;
  /** What may stand behind the name. */
  readonly usage: string;
  /** One line for `.help`. */
  readonly summary: string;
  /** Lines to try, for `.help NAME`, each with what comes of it where that has to be said. */
  readonly examples?: readonly (readonly [line: string, remark?: string])[];
  readonly run: (argument: string, shell: Shell) => void | Promise<void>;
  /** Candidates for the word that is being typed behind the name. */
  readonly complete?: (typed: Typed) => readonly Choice[] | Promise<readonly Choice[]>;
}

/** A command was used wrongly; the message says how it is used. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
