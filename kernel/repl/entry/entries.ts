import { setTimeout } from "node:timers/promises";
import {
  beginsAsJson,
  indentation,
  type Line,
  lineAt,
  type OutlineLine,
  readOutline,
  startsAsRequest,
} from "../../../lib/request/mod.ts";
import { endOfJson, multipartBoundary, takesMore } from "../../session/mod.ts";
import {
  type AskStatus,
  commandOfBareWord,
  entryOfCommand,
  type Input,
  isInputComplete,
  isOneLine,
  kindOfInput,
  languageOf,
  nameToExplain,
  normalizeInput,
} from "./input.ts";
import { scanLines } from "./typescript-scan.ts";

/** An entry of a text with several. */
interface Entry {
  readonly text: string;
  /** The line of the text on which it begins, from 1. */
  readonly line: number;
  /** Whether nothing follows it, as far as that is known. */
  readonly isLast: boolean;
}

/** Returns the next piece of a text when it arrives; `undefined` at the end. */
export type TextSource = () => Promise<string | undefined>;

/**
 * How long an entry that is complete waits for a line that continues it, in milliseconds. Pieces of the same text
 * follow each other faster, and a person types slower.
 */
const GRACE = 50;

/** Divides a text into entries, as if its lines were typed at the prompt. */
export class EntryReader {
  readonly #source: TextSource;
  readonly #ask: AskStatus;
  #text = "";
  #line = 1;
  #isAll = false;
  #pending: Promise<string | undefined> | undefined;

  /** @param source The whole text, or the source of its pieces. */
  constructor(source: string | TextSource, ask: AskStatus) {
    this.#ask = ask;
    if (typeof source === "string") {
      this.#source = async () => undefined;
      this.#text = toLineFeeds(source);
      this.#isAll = true;
    } else this.#source = source;
  }

  /** Reads the next entry; `undefined` at the end of the text. */
  async next(): Promise<Entry | undefined> {
    for (;;) {
      const isBlank = hasNoEntry(this.#text);
      if (isBlank && this.#isAll) return undefined;
      const found = isBlank ? undefined : await endOfEntry(this.#text, this.#isAll, this.#ask);
      if (found === undefined && (await this.#more())) continue;
      if (found?.isSure === false && (await this.#more(GRACE))) continue;
      const entry = this.#take(found ?? { start: 0, end: this.#text.length });
      if (entry !== undefined) return entry;
    }
  }

  /** Waits for the next piece or the end; returns whether the text has to be read again. */
  async #more(within?: number): Promise<boolean> {
    if (this.#isAll) return false;
    this.#pending ??= this.#source();
    const late = within === undefined ? [] : [setTimeout(within, LATE)];
    const piece = await Promise.race([this.#pending, ...late]);
    if (piece === LATE) return false;
    this.#pending = undefined;
    if (piece === undefined) this.#isAll = true;
    else this.#text = toLineFeeds(this.#text + piece);
    return true;
  }

  #take({ start, end }: { readonly start: number; readonly end: number }): Entry | undefined {
    this.#drop(start);
    const line = this.#line;
    const text = this.#text.slice(0, end - start);
    this.#drop(end - start);
    if (text.trim() === "") return undefined;
    const isLast = this.#isAll && hasNoEntry(this.#text);
    return { text: text.trimEnd(), line, isLast };
  }

  #drop(end: number): void {
    for (let at = this.#text.indexOf("\n"); at !== -1 && at < end; ) {
      this.#line += 1;
      at = this.#text.indexOf("\n", at + 1);
    }
    this.#text = this.#text.slice(end);
  }
}

const toLineFeeds = (text: string): string => text.replaceAll("\r\n", "\n");

/** Whether a text has only blank lines and separators. */
function hasNoEntry(text: string): boolean {
  const [separators = ""] = /^(?:[^\S\n]*(?:###[^\n]*)?(?:\n|$))*/.exec(text) ?? [];
  return separators.length === text.length;
}

const LATE = Symbol("late");

/** Divides a text that is complete into its entries. */
export async function splitEntries(text: string, ask: AskStatus): Promise<readonly Entry[]> {
  const reader = new EntryReader(text, ask);
  const entries: Entry[] = [];
  for (let entry = await reader.next(); entry !== undefined; entry = await reader.next()) {
    entries.push(entry);
  }
  return entries;
}

/** A text at whose end Enter was pressed, and the entries that it contains. */
export interface Submission {
  /** The text, with missing empty lines before bodies inserted. */
  readonly text: string;
  /** Whether the last entry needs no more lines. */
  readonly isComplete: boolean;
  readonly entries: readonly SubmittedEntry[];
}

interface SubmittedEntry {
  readonly input: Input;
  /** The line of the text on which it begins, from 1. */
  readonly line: number;
}

/** Reads a text that was typed or pasted: its entries by their kinds, and whether the last one is complete. */
export async function readSubmission(typed: string, ask: AskStatus): Promise<Submission> {
  const whole = normalizeInput(kindOfInput(typed));
  const text = whole.source;
  if (text.trim() === "") return { text, isComplete: true, entries: [] };
  // A single line is one entry.
  const found = text.includes("\n") ? await splitEntries(text, ask) : [];
  const { line = 1 } = found.at(-1) ?? {};
  const lines = text.split("\n").slice(line - 1);
  const last = line === 1 ? whole : kindOfInput(lines.join("\n"));
  const entries =
    found.length > 1
      ? found.map((entry) => ({ input: kindOfInput(entry.text), line: entry.line }))
      : [{ input: whole, line: 1 }];
  return { text, isComplete: await isInputComplete(last, ask), entries };
}

/** Whether a line that has been received belongs to the complete entry above it. */
export function continuesEntry(text: string, line: string): boolean {
  const input = kindOfInput(text);
  if (input.kind === "assertions") return isAssertionLine(line);
  if (isOneLine(input)) return false;
  const language = languageOf(input);
  if (language === "typescript") return continuesStatement(line);
  if (language !== "request" || isSeparator(line)) return false;
  const found = endOfRequest(`${text}\n${line}`, true);
  return found === undefined || found.end > text.length;
}

/**
 * Explains an entry that looks like a header of the request before it, which was complete without one.
 *
 * @param before The entry before it.
 * @param advice How headers are written.
 * @returns `undefined` for any other entry.
 */
export function explainLateHeader(
  text: string,
  before: Input | undefined,
  advice: string,
): string | undefined {
  if (before === undefined || languageOf(before) !== "request") return undefined;
  if (!text.trim().split("\n").every(isHeaderLine)) return undefined;
  return `"${text.trim()}" looks like a header, but the request above has been sent: ${advice}`;
}

/** Where an entry ends. */
interface End {
  readonly end: number;
  /** Whether no later line can belong to it. */
  readonly isSure: boolean;
}

/** Where an entry begins and ends. */
interface EntryEnd extends End {
  /** After the separators above it, except the one with the title of a request. */
  readonly start: number;
}

/**
 * Finds the end of the first entry of a text: a separator, or the line that completes it, unless the line below
 * continues it.
 *
 * @param isAll Whether the text is complete, so that nothing follows it.
 * @returns `undefined` if its end has not been received yet.
 */
async function endOfEntry(
  received: string,
  isAll: boolean,
  ask: AskStatus,
): Promise<EntryEnd | undefined> {
  const text = isAll ? received : received.slice(0, received.lastIndexOf("\n") + 1);
  const [separators = ""] = /^(?:[^\S\n]*(?:###[^\n]*)?\n)*/.exec(text) ?? [];
  const start = separators.length;
  const line = firstContent(text, start);
  if (line === undefined) return undefined;
  const next = nextSeparator(text, line.end);
  const oneLine = { start, end: line.end, isSure: true };
  if (isSeparator(line.text)) {
    return next === undefined ? undefined : { start, end: next, isSure: true };
  }
  if (commandOfBareWord(line.text) !== undefined || nameToExplain(line.text) !== undefined)
    return oneLine;
  const input = kindOfInput(text.slice(start, line.end));
  if (isOneLine(input)) return oneLine;
  const at = (from: number, found: End | undefined): EntryEnd | undefined =>
    found && { start, end: from + found.end, isSure: found.isSure };
  if (input.kind === "assertions") {
    return at(line.start, endOfAssertions(text.slice(line.start), isAll));
  }
  const language = languageOf(input);
  if (language === "typescript") {
    return at(line.start, await endOfStatement(text.slice(line.start), isAll, ask));
  }
  const entry = language === "command" ? entryOfCommand(line.text) : undefined;
  if (language === "command" && entry === undefined) return oneLine;
  const titled = separators.lastIndexOf("###");
  const from = entry === undefined ? (titled === -1 ? start : titled) : line.end - entry.length;
  const source = text.slice(from, next);
  const found = await endOfRequestText(source, isAll || next !== undefined, ask);
  const ended = at(from, found);
  return ended && { ...ended, start: entry === undefined ? from : start };
}

/** The first line that is neither blank nor a comment; comments alone are an entry as well. */
function firstContent(text: string, start: number): Line | undefined {
  let at = start;
  while (at < text.length) {
    const line = lineAt(text, at);
    if (!/^\s*(?:$|#(?!##)|\/\/)/.test(line.text)) return line;
    at = line.next;
  }
  return start < text.length ? lineAt(text, start) : undefined;
}

function isSeparator(line: string): boolean {
  return /^\s*(?:###|%%)/.test(line);
}

/** The start of the next line that ends any entry above it. */
function nextSeparator(text: string, from: number): number | undefined {
  const next = /(?<=\n)[^\S\n]*(?:###|%%)/g;
  next.lastIndex = from;
  return next.exec(text)?.index;
}

/** Assertions without a request end before the first line that is not one. */
function endOfAssertions(text: string, isAll: boolean): End | undefined {
  let end = 0;
  for (let line = lineAt(text, 0); isAssertionLine(line.text); line = lineAt(text, line.next)) {
    end = line.end;
    if (line.next === text.length) return isAll ? { end, isSure: true } : undefined;
  }
  return { end, isSure: true };
}

/** Whether a line looks like `?? status == 200`. */
function isAssertionLine(line: string): boolean {
  return /^\s*\?\?/.test(line);
}

async function endOfStatement(
  text: string,
  isAll: boolean,
  ask: AskStatus,
): Promise<End | undefined> {
  for (const { end, scan, isBlank } of scanLines(text)) {
    if (end >= text.length && !isAll) return undefined;
    const below = end + 1 < text.length ? lineAt(text, end + 1).text : undefined;
    if (below === undefined && isAll) return { end: text.length, isSure: true };
    const isSeparated = below !== undefined && isSeparator(below);
    if (below !== undefined && !isSeparated && continuesStatement(below)) continue;
    if (!isSeparated && (isBlank || scan === "open")) continue;
    const isComplete =
      isSeparated || scan === "complete" || (await ask(text.slice(0, end))) !== "incomplete";
    if (isComplete) return { end, isSure: below !== undefined };
  }
  return undefined;
}

/** Operators and words with which no statement begins; after a blank, `-` and the like are operators too. */
const OPERATOR =
  /^[ \t]*(?:\?\.|\?\?|[?:,]|&&|\|\||\*\*|=>|[=!]==?|[-+*/%<>=&|^](?=[ \t=])|(?:else|catch|finally|instanceof|in|of|as|satisfies)\b)/;
/** A member of the value above; `.vars` alone is a command of the prompt, and `.5` a number. */
const MEMBER = /^(?:[ \t]+\.[\p{L}_$#]|\.[\p{L}_$#][\p{L}\p{N}_$]*[^\p{L}\p{N}_$\s])/u;

/** Whether a line below a complete statement belongs to it. */
function continuesStatement(line: string): boolean {
  return OPERATOR.test(line) || MEMBER.test(line);
}

const HEADER = /^[ \t]*[A-Za-z][\w!#$%&'*+.^`|~-]*[ \t]*:(?:[ \t]|$)/;
/** Words of TypeScript before a colon. */
const LABEL = /^[ \t]*(?:default|case)\b/;

/** Whether a line looks like `Name: value`. */
function isHeaderLine(line: string): boolean {
  return HEADER.test(line) && !LABEL.test(line);
}

/** A line that a request begins with, or `@name = value`; prose such as `GET home early`, or a path in a body, is neither. */
function beginsRequest(line: string): boolean {
  if (!startsAsRequest(line)) return false;
  if (/^\s*(?:(?:\$\s+)?(?:curl|printf|https?)|Invoke-WebRequest|\$session)\s/i.test(line))
    return true;
  return /^\s*(?:@|(?!\/)\S+(?:\s+\S+)?(?:\s+HTTP\/[\d.]+)?\s*$)/i.test(line);
}

/** A handler of the response, or a file for it. */
const AFTER_REQUEST = /^\s*(?:>{1,2}!?[ \t]+\S|<>[ \t]+\S)/;

/** Finds the end of a request text, which contains no separators but above it; asks whether a line is code. */
async function endOfRequestText(
  text: string,
  isAll: boolean,
  ask: AskStatus,
): Promise<End | undefined> {
  let from = 0;
  for (;;) {
    const found = endOfRequest(text, isAll, from);
    if (found === undefined || found.doubt === undefined) return found;
    const { start, end } = found.doubt;
    if ((await ask(text.slice(start, end))) !== "invalid") return found;
    from = end;
  }
}

/** The end of a request; with `doubt`, unless that line is the next paragraph of its body. */
interface RequestEnd extends End {
  readonly doubt?: Line | undefined;
}

/** @param known Up to where the lines are known to belong to it. */
function endOfRequest(text: string, isAll: boolean, known = 0): RequestEnd | undefined {
  let first: OutlineLine | undefined;
  let end = 0;
  /** Whether more has to come. */
  let isOpen = true;
  let isApart = false;
  const head: OutlineLine[] = [];
  for (const line of readOutline(text)) {
    const { kind, request } = line;
    if (kind === "blank") {
      const isHeadEnd = request !== undefined && line.isBelow !== true;
      const mayHaveBody = isHeadEnd && (takesMore(head) || isWebSocket(first));
      if (mayHaveBody) return endOfBody(text, line.next, head, { isAll, known });
      if (isHeadEnd) isOpen = false;
      isApart = true;
    } else if (kind === "annotation" || kind === "separator") isOpen ||= first === undefined;
    else if (kind !== "comment") {
      const [written = ""] = line.text.split("\n", 1);
      if (first !== undefined && AFTER_REQUEST.test(written)) {
        isOpen = kind === "script" && !/%\}|\.\w+\s*$/.test(line.text);
      } else if (first === undefined) {
        const begins = !isApart && beginsRequest(written);
        if (end > 0 && !isOpen && !begins) return { end, isSure: true };
        isOpen = kind === "script" || (request !== undefined && takesMore([line]));
        if (request !== undefined) first = line;
      } else {
        if (request !== first.request || beginsRequest(written)) return { end, isSure: true };
        const isInHead = kind === "target" || kind === "assertion" || isHeaderLine(written);
        const isIndented = indentation(written) > indentation(first.text);
        if (!isOpen && (isApart || !(isInHead || isIndented))) return { end, isSure: true };
        if (line.isBelow) return endOfBody(text, line.start, head, { isAll, known });
        isOpen ||= kind === "header";
      }
      if (first !== undefined) head.push(line);
      end = line.end;
    }
  }
  return isAll ? { end: text.length, isSure: true } : isOpen ? undefined : { end, isSure: false };
}

/** Messages may follow its head, and none has to. */
function isWebSocket(first: OutlineLine | undefined): boolean {
  if (first?.kind !== "request") return false;
  return /^\s*(?:(?:WEBSOCKET|WS)\s|(?:\S+\s+)?wss?:\/\/)/i.test(first.text);
}

/** The line between two messages of a WebSocket. */
function isMessageLine(line: string): boolean {
  return line.startsWith("===");
}

/** The line that ends at an offset. */
function lastLine(text: string, end: number): string {
  return text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
}

/** Finds the end of a body: of JSON, of a multipart body, or of the paragraphs of a text. */
function endOfBody(
  text: string,
  start: number,
  head: readonly OutlineLine[],
  { isAll, known }: { readonly isAll: boolean; readonly known: number },
): RequestEnd | undefined {
  const whole = isAll ? { end: text.length, isSure: true } : undefined;
  const boundary = multipartBoundary(head);
  const begin = firstBelow(text, start);
  let end = text.slice(0, start).trimEnd().length;
  let isJson = false;
  for (let line = begin; line !== undefined; line = firstBelow(text, end)) {
    const isFirst = line === begin;
    const isApart = isFirst || line.start > end + 1;
    const isAfter = AFTER_REQUEST.test(line.text);
    const isOfMessages = isMessageLine(line.text) || isMessageLine(lastLine(text, end));
    if (line.start >= known && !isAfter && !isOfMessages) {
      if (isJson ? isApart || !/^\s*[[{,]/.test(line.text) : beginsRequest(line.text)) {
        return { end, isSure: true };
      }
      if (!isFirst && !/^\s*[[{<]/.test(line.text)) {
        const isMarkup = /^\s*</.test(begin?.text ?? "");
        return { end, isSure: true, doubt: isMarkup ? undefined : line };
      }
    }
    isJson = !isAfter && beginsAsJson(line.text);
    const closed = isAfter
      ? endOfHandler(text, line)
      : isJson
        ? endOfJson(text, line.start)
        : isFirst && boundary !== undefined && line.text.startsWith(`--${boundary}`)
          ? endOf(text, `--${boundary}--`, line.start)
          : endOfParagraph(text, line);
    if (closed === undefined) return whole;
    end = lineAt(text, closed).end;
  }
  if (whole !== undefined || begin === undefined) return whole;
  return { end, isSure: false };
}

/** The first line from an offset on that is not blank. */
function firstBelow(text: string, from: number): Line | undefined {
  const at = /\S/g;
  at.lastIndex = from;
  const found = at.exec(text);
  if (found === null) return undefined;
  return lineAt(text, Math.max(from, text.lastIndexOf("\n", found.index) + 1));
}

function endOfParagraph(text: string, { end }: Line): number {
  const blank = /\n[^\S\n]*(?:\n|$)/g;
  blank.lastIndex = end;
  return blank.exec(text)?.index ?? text.length;
}

function endOfHandler(text: string, { start, end, text: line }: Line): number | undefined {
  return line.includes("{%") ? endOf(text, "%}", start) : end;
}

function endOf(text: string, mark: string, from: number): number | undefined {
  const found = text.indexOf(mark, from);
  return found === -1 ? undefined : found + mark.length;
}
