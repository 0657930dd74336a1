import { readText } from "../../../lib/mod.ts";
import type { OutlineLine } from "../../../lib/request/mod.ts";
import type { IsComplete } from "../../session/cell/mod.ts";
import { type Cell, isCompleteRequest, kindOfCell, lastRequest } from "../../session/mod.ts";
import { scanTypeScript } from "./typescript-scan.ts";

/** What was typed, by its kind: a command of the prompt, or a cell to run. */
export type Input = Cell | { readonly kind: "command"; readonly source: string };

/** A command line such as `.vars`; `.5 + 1` is a number. */
const COMMAND = /^[ \t]*\.[a-z]/i;

/** Determines the kind of a text. */
export function kindOfInput(text: string): Input {
  return COMMAND.test(text) ? { kind: "command", source: text } : kindOfCell(text);
}

/** Whether an input is one line, whatever follows it. */
export function isOneLine({ kind }: Input): boolean {
  return kind === "placeholder";
}

export type Language = "command" | "request" | "typescript";

const LANGUAGES: Readonly<Record<Input["kind"], Language>> = {
  command: "command",
  request: "request",
  assertions: "request",
  placeholder: "request",
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
  if (input.kind === "assertions" || isOneLine(input)) return true;
  if (languageOf(input) === "request") {
    const parsed = input.kind === "request" ? input.parsed : undefined;
    return isCompleteRequest(text, parsed?.lines).status === "complete";
  }
  if (/^\s*%%/.test(text)) return !/^\s*%%ts\s*$/.test(text);
  const scan = scanTypeScript(text);
  return scan === "unsure" ? (await ask(text)) !== "incomplete" : scan === "complete";
}

/** The words for leaving and for help at other prompts, with the commands for them. */
const BARE_WORDS: Readonly<Record<string, string>> = {
  exit: ".quit",
  "exit()": ".quit",
  quit: ".quit",
  "quit()": ".quit",
  help: ".help",
  "help()": ".help",
  "?": ".help",
  "\\?": ".help",
  "\\q": ".quit",
  ":q": ".quit",
};

/**
 * The command that a bare word such as `exit` stands for, as in IPython and psql.
 *
 * @returns Nothing for any other entry.
 */
export function commandOfBareWord(text: string): string | undefined {
  const word = text.trim();
  const [, about] = /^help\s+(\S+)$/.exec(word) ?? [];
  if (about !== undefined) return `.help ${about}`;
  return Object.hasOwn(BARE_WORDS, word) ? BARE_WORDS[word] : undefined;
}

/** The name that an entry such as `client?` asks about, as in IPython. */
export function nameToExplain(text: string): string | undefined {
  return /^\s*([\p{L}_$][\p{L}\p{N}_$.]*)\s*\?\s*$/u.exec(text)?.[1];
}

/** Whether TypeScript that was run declares the name in a bare word. */
export function declaresBareWord(code: string, text: string): boolean {
  const name = /^[a-z]+/.exec(text.trim())?.[0];
  if (name === undefined) return false;
  const declaration = `\\b(?:const|let|var|function|class|import)\\b[^;\\n]*\\b${name}\\b`;
  return new RegExp(declaration).test(code);
}

type RequestCell = Extract<Cell, { readonly kind: "request" }>;

/**
 * Parses the requests of a cell, and inserts a missing empty line above each line that can only begin a body.
 *
 * @example `POST /users⏎{"a": 1}` becomes `POST /users⏎⏎{"a": 1}`
 */
export function parseTyped(cell: RequestCell): RequestCell {
  const { text, source, parsed = readText(text) } = cell;
  const missing = parsed.lines.filter(
    (line, at) => line.isBelow && isMissingBlank(parsed.lines[at - 1]) && BODY.test(line.text),
  );
  if (missing.length === 0) return { ...cell, parsed };
  const insert = (into: string): string =>
    missing.reduceRight((all, { start }) => `${all.slice(0, start)}\n${all.slice(start)}`, into);
  return { ...cell, text: insert(text), source: insert(source), parsed: readText(insert(text)) };
}

/** Whether a line is the last one of the headers of a request, and not blank. */
function isMissingBlank(line: OutlineLine | undefined): boolean {
  return line?.kind !== "curl" && line?.kind !== "blank" && line?.isBelow !== true;
}

/** The beginning of JSON, XML, a form, a placeholder or a file, but not of a header. */
const BODY = /^[ \t]*(?!\{\{[^{}]*\}\}[\w-]*:)(?:[{[<"]|[\w.%+-]+=)/;

/**
 * Whether the last request has a fault above its body, which no further line can repair.
 *
 * @example `PUT /users/1 {"a": 1}` has a fault in its request line
 */
export function isInvalidAboveBody({ text, parsed = readText(text) }: RequestCell): boolean {
  const { first, blank } = lastRequest(parsed.lines);
  if (first === undefined || first.kind === "curl") return false;
  const end = blank?.start ?? text.length;
  return (parsed.failure?.faults ?? []).some(({ span }) => span.start < end);
}
