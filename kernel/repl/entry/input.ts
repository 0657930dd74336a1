import { type ParsedText, readText } from "../../../lib/mod.ts";
import type { IsComplete } from "../../session/cell/mod.ts";
import { type Cell, isCompleteRequest, kindOfCell } from "../../session/mod.ts";
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
 * @returns The same text if no line is missing, or if inserting one repairs nothing.
 * @example `POST /users⏎{"a": 1}` becomes `POST /users⏎⏎{"a": 1}`
 */
export function parseTyped(cell: RequestCell): RequestCell {
  let { text, source, parsed = readText(text) } = cell;
  let doubts = doubtsOf(parsed);
  for (let count = 0; count < MAX_LINES; count++) {
    const at = doubts.map(({ span }) => lineStart(text, span.start)).find(beginsBody(text));
    if (at === undefined) break;
    const repaired = insertLine(text, at);
    const reparsed = readText(repaired);
    const left = doubtsOf(reparsed);
    if (left.length >= doubts.length) break;
    source = insertLine(source, at);
    text = repaired;
    parsed = reparsed;
    doubts = left;
  }
  return { ...cell, text, source, parsed };
}

const insertLine = (text: string, at: number): string => `${text.slice(0, at)}\n${text.slice(at)}`;

/** More requests are pasted, not typed: their faults are reported. */
const MAX_LINES = 100;

/**
 * Whether the last request has a fault above its body, which no further line can repair.
 *
 * @example `PUT /users/1 {"a": 1}` has a fault in its request line
 */
export function isInvalidAboveBody({ text, parsed = readText(text) }: RequestCell): boolean {
  const end = headEnd(text);
  return end !== undefined && (parsed.failure?.faults ?? []).some(({ span }) => span.start < end);
}

const CURL = /^\s*(?:\$\s+)?curl(?:\.exe)?(?:\s|$)/i;

/** Where the headers of the last request end; nothing for a curl command, or without a request. */
function headEnd(text: string): number | undefined {
  let hasLine = false;
  let end: number | undefined;
  let offset = 0;
  for (const line of text.split("\n")) {
    if (/^\s*###/.test(line)) {
      hasLine = false;
      end = undefined;
    } else if (!hasLine && /^\s*[^\s#@/%]/.test(line)) {
      if (CURL.test(line)) return undefined;
      hasLine = true;
    } else if (hasLine && end === undefined && line.trim() === "") end = offset;
    offset += line.length + 1;
  }
  return hasLine ? (end ?? text.length) : undefined;
}

/** The beginning of JSON, XML, a form, a placeholder or a file, but not of a header. */
const BODY = /[ \t]*(?!\{\{[^{}]*\}\}[\w-]*:)(?:[{[<"]|[\w.%+-]+=)/y;

const beginsBody =
  (text: string) =>
  (start: number): boolean => {
    BODY.lastIndex = start;
    return start > 0 && BODY.test(text);
  };

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

type Spans = readonly { readonly span: { readonly start: number } }[];

/** The faults of a text, or else what is doubtful about the bodies of its requests. */
function doubtsOf(parsed: ParsedText): Spans {
  if (parsed.failure !== undefined) return parsed.failure.faults;
  return parsed.statements
    .flatMap((entry) => (entry.kind === "request" ? (entry.remarks ?? []) : []))
    .filter(({ code }) => code === "body");
}
