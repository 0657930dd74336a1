import { type Cell, type IsComplete, isCompleteRequest, kindOfCell } from "../../session/mod.ts";
import { commandOfBareWord, nameToExplain } from "./bare-word.ts";
import { isInvalidAboveBody, parseTyped } from "./request-head.ts";
import { scanTypeScript } from "./typescript-scan.ts";

/** What was typed, by its kind: a command of the prompt, or a cell to run. */
export type Input = Cell | { readonly kind: "command"; readonly source: string };

/** A command line such as `.vars`; `.5 + 1` is a number. */
const COMMAND = /^[ \t]*\.[a-z]/i;

/** Determines the kind of a text. */
export function kindOfInput(text: string): Input {
  return COMMAND.test(text) ? { kind: "command", source: text } : kindOfCell(text);
}

export type Language = "command" | "request" | "typescript";

const LANGUAGES: Readonly<Record<Input["kind"], Language>> = {
  command: "command",
  request: "request",
  assertions: "request",
  empty: "request",
  typescript: "typescript",
  "unknown-magic": "typescript",
};

/** The language of a text, while it is typed and when it is run. */
export function languageOf(input: string | Input): Language {
  return LANGUAGES[(typeof input === "string" ? kindOfInput(input) : input).kind];
}

/** Commands whose argument is an entry, which may need more lines. */
const WITH_ENTRY = /^[ \t]*\.preview\s+(?=\S)/i;

/** The entry in a command that takes one: `GET /a` of `.preview GET /a`. */
export function entryOfCommand(text: string): string | undefined {
  const head = WITH_ENTRY.exec(text)?.[0];
  return head === undefined ? undefined : text.slice(head.length);
}

/** Asks the compiler for the status of code. */
export type AskStatus = (code: string) => Promise<IsComplete["status"]>;

/** Parses the requests of a text, and inserts a missing empty line before each body. */
export function normalizeInput(input: Input): Input {
  if (input.kind === "request") return parseTyped(input);
  const entry = input.kind === "command" ? entryOfCommand(input.source) : undefined;
  if (entry === undefined) return input;
  const head = input.source.slice(0, -entry.length);
  return { kind: "command", source: head + normalizeInput(kindOfInput(entry)).source };
}

/**
 * Whether Enter at the end of an entry submits it.
 *
 * @param ask Asks the compiler, if the tokens alone do not decide.
 */
export async function isInputComplete(input: Input, ask: AskStatus): Promise<boolean> {
  const text = input.source;
  // Two empty lines submit any entry, so that there is always a way out.
  if (/\n[ \t]*\n[ \t]*$/.test(text)) return true;
  if (commandOfBareWord(text) !== undefined || nameToExplain(text) !== undefined) return true;
  if (input.kind === "command") {
    const entry = entryOfCommand(text);
    return entry === undefined || (await isInputComplete(kindOfInput(entry), ask));
  }
  // A body cannot repair a fault above it, so the fault is reported at once.
  if (input.kind === "request" && isInvalidAboveBody(input)) return true;
  if (input.kind === "assertions") return true;
  if (languageOf(input) === "request") return isCompleteRequest(text).status === "complete";
  if (/^\s*%%/.test(text)) return !/^\s*%%ts\s*$/.test(text);
  const scan = scanTypeScript(text);
  return scan === "unsure" ? (await ask(text)) !== "incomplete" : scan === "complete";
}
