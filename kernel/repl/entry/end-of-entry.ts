import { isCompleteRequest } from "../../session/mod.ts";
import {
  beginsRequest,
  continuesRequest,
  continuesStatement,
  isAssertionLine,
  isSeparator,
  splitBody,
} from "./continuation.ts";
import {
  type AskStatus,
  commandOfBareWord,
  entryOfCommand,
  kindOfInput,
  languageOf,
  nameToExplain,
  normalizeInput,
} from "./input.ts";
import { scanLines } from "./typescript-scan.ts";

/** Where an entry begins and ends. */
interface EntryEnd {
  /** After the separators above it, except the one with the title of a request. */
  readonly start: number;
  readonly end: number;
  /** Whether no later line can belong to it. */
  readonly isSure: boolean;
}

/**
 * Finds the end of the first entry of a text: a separator, or the line that completes it, unless the line below
 * continues it.
 *
 * @param isAll Whether the text is complete, so that nothing follows it.
 * @returns `undefined` if its end has not been received yet.
 */
export async function endOfEntry(
  text: string,
  isAll: boolean,
  ask: AskStatus,
): Promise<EntryEnd | undefined> {
  const [separators = ""] = /^(?:[^\S\n]*(?:###[^\n]*)?\n)*/.exec(text) ?? [];
  const start = separators.length;
  const content = contentStart(text, start);
  const line = lineAt(text, content);
  if (line === undefined) return undefined;
  const oneLine =
    line.end < text.length || isAll ? { start, end: line.end, isSure: true } : undefined;
  if (isSeparator(line.text)) return endOfCell(text, start, line.end);
  if (commandOfBareWord(line.text) !== undefined || nameToExplain(line.text) !== undefined)
    return oneLine;
  const input = kindOfInput(text.slice(start, line.end));
  if (input.kind === "assertions") return endOfAssertions(text, start, content, isAll);
  const language = languageOf(input);
  if (language === "typescript") return await endOfStatement(text, { start, content, isAll }, ask);
  if (language === "request") {
    const titled = separators.lastIndexOf("###");
    return await endOfRequest(text, titled === -1 ? start : titled, isAll, ask);
  }
  const entry = entryOfCommand(line.text);
  if (entry === undefined) return oneLine;
  const found = await endOfRequest(text, line.end - entry.length, isAll, ask);
  return found && { ...found, start };
}

/** The offset of the first line that is neither blank nor a comment. */
function contentStart(text: string, from: number): number {
  let at = from;
  for (let line = lineAt(text, at); line !== undefined; line = lineAt(text, at)) {
    if (!/^\s*(?:$|#(?!##)|\/\/)/.test(line.text)) return at;
    if (line.next > text.length) break;
    at = line.next;
  }
  // Comments alone are an entry as well.
  return from;
}

interface Line {
  readonly text: string;
  /** The offset of its line break. */
  readonly end: number;
  readonly next: number;
}

function lineAt(text: string, start: number): Line | undefined {
  if (start >= text.length) return undefined;
  const found = text.indexOf("\n", start);
  const end = found === -1 ? text.length : found;
  return { text: text.slice(start, end), end, next: end + 1 };
}

/** A cell that begins with `%%` ends at the next separator. */
function endOfCell(text: string, start: number, from: number): EntryEnd | undefined {
  const next = /\n[^\S\n]*(?:###|%%)/g;
  next.lastIndex = from;
  const found = next.exec(text);
  return found === null ? undefined : { start, end: found.index + 1, isSure: true };
}

/** Assertions without a request end before the first line that is not one. */
function endOfAssertions(
  text: string,
  start: number,
  content: number,
  isAll: boolean,
): EntryEnd | undefined {
  let end = content;
  let line = lineAt(text, content);
  for (; line !== undefined && isAssertionLine(line.text); line = lineAt(text, line.next)) {
    if (line.end === text.length && !isAll) return undefined;
    end = line.end;
  }
  return { start, end, isSure: isAll || line !== undefined };
}

async function endOfStatement(
  text: string,
  { start, content, isAll }: { start: number; content: number; isAll: boolean },
  ask: AskStatus,
): Promise<EntryEnd | undefined> {
  for (const { end: length, scan, isBlank } of scanLines(text.slice(content))) {
    const end = content + length;
    if (end >= text.length && !isAll) return undefined;
    const below = lineAt(text, end + 1);
    if (below === undefined && isAll) return { start, end: text.length, isSure: true };
    const isKnown = below !== undefined && (isAll || below.end < text.length);
    const isSeparated = isKnown && isSeparator(below.text);
    if (isKnown && !isSeparated && continuesStatement(below.text)) continue;
    if (!isSeparated && (isBlank || scan === "open")) continue;
    const isComplete =
      isSeparated || scan === "complete" || (await ask(text.slice(content, end))) !== "incomplete";
    if (isComplete) return { start, end, isSure: isKnown };
  }
  return undefined;
}

async function endOfRequest(
  text: string,
  start: number,
  isAll: boolean,
  ask: AskStatus,
): Promise<EntryEnd | undefined> {
  let hasRequestLine = false;
  let inBody = false;
  for (let line = lineAt(text, start); line !== undefined; line = lineAt(text, line.next)) {
    if (line.end >= text.length && !isAll) return undefined;
    const isBlank = line.text.trim() === "";
    inBody ||= hasRequestLine && (isBlank || /^\s*["{[<]/.test(line.text));
    hasRequestLine ||= /^\s*[^\s#/@%]/.test(line.text);
    const below = firstBelow(text, line.next, { isAll, inBody });
    if (below === "unknown") {
      const end = text.lastIndexOf("\n");
      const written = text.slice(start, end);
      const isOpen = isCompleteRequest(normalized(written)).status !== "complete";
      return isOpen || isOpenScript(written) ? undefined : { start, end: end + 1, isSure: false };
    }
    if (below === undefined) return { start, end: text.length, isSure: true };
    const { isApart } = below;
    const written = text.slice(start, line.end);
    const isSeparated = isSeparator(below.text);
    if ((!isSeparated && !mayEnd(line.text, below, inBody)) || isOpenScript(written)) continue;
    const end = { start, end: line.end, isSure: true };
    if (isSeparated) return end;
    const request = normalized(isApart ? `${written.trimEnd()}\n` : written);
    const isComplete = isCompleteRequest(request).status === "complete";
    const begins = hasRequestLine && beginsRequest(below.text);
    if (begins ? isOpenBody(request, isComplete) : !isComplete) continue;
    if (continuesRequest({ request: request.trimEnd(), line: below.text, isApart })) continue;
    if (begins || !isTextBody(request) || (await isStatement(below.text, ask))) return end;
  }
  return undefined;
}

interface Below {
  readonly text: string;
  /** Whether blank lines precede it. */
  readonly isApart: boolean;
}

/** The next line that is neither blank nor a comment above a body; `unknown` if not all of it has been received. */
function firstBelow(
  text: string,
  from: number,
  { isAll, inBody }: { readonly isAll: boolean; readonly inBody: boolean },
): Below | "unknown" | undefined {
  let isApart = false;
  for (let line = lineAt(text, from); line !== undefined; line = lineAt(text, line.next)) {
    const isBlank = line.text.trim() === "";
    isApart ||= isBlank;
    if (isBlank || (!inBody && /^\s*(?:#(?!##)|\/\/)/.test(line.text))) continue;
    return isAll || line.end < text.length ? { text: line.text, isApart } : "unknown";
  }
  return isAll ? undefined : "unknown";
}

/** Rules out most lines of a long body: at each other line, the request is parsed again from its beginning. */
function mayEnd(line: string, { text, isApart }: Below, inBody: boolean): boolean {
  if (!inBody || isApart) return !/^\s*[\]}]/.test(text);
  return /[}\]]\s*$/.test(line) && !/^\s*["{[,\]}]/.test(text);
}

/** Whether a script `{% … %}` is not closed. */
function isOpenScript(text: string): boolean {
  const open = text.lastIndexOf("{%");
  return open !== -1 && !text.includes("%}", open);
}

const normalized = (text: string): string => normalizeInput(kindOfInput(text)).source;

const bodyOf = (request: string): string => splitBody(request).body ?? "";

/** Whether brackets or a multipart body are open, so that no line can begin a request. */
function isOpenBody(request: string, isComplete: boolean): boolean {
  return !isComplete && /^\s*(?:[[{]|--)/.test(bodyOf(request));
}

function isTextBody(request: string): boolean {
  const body = bodyOf(request).trim();
  return body !== "" && !/^[[{<]/.test(body);
}

/** Whether a line after a blank line in a text is code rather than the next paragraph. */
async function isStatement(line: string, ask: AskStatus): Promise<boolean> {
  return (await ask(line)) !== "invalid";
}
