import type { Span } from "../../interpolation/mod.ts";
import type { BodyDraft, SaveDraft } from "../draft/mod.ts";
import { classifyLine, lineAt, trimLine } from "./line.ts";
import type { Reading } from "./reading.ts";
import { isPlainRequestLine } from "./request-line.ts";
import { blankOut, commentsInJson, findHandlers, scriptAt, startsHandler } from "./scripts.ts";

/** A body, if there is one, and where the separator behind it, or the end of the text, stands. */
export interface BodyReading {
  readonly body: BodyDraft | undefined;
  /** Where the body of the answer goes. */
  readonly saveTo?: SaveDraft;
  /** What is to be done with the answer by scripts. */
  readonly handlers?: readonly Span[];
  readonly next: number;
}

/** `< path`, `<@ path` and `<@encoding path`. */
const FILE = /^<(?:(@)([\w-]*))?[ \t]+(?=\S)/;

/**
 * Reads what stands between the headers and the next separator.
 *
 * @param start Where the line behind the blank line begins.
 * @param indent The indentation of the request line; a separator stands no further in.
 * @param method GET and HEAD have no body: what looks like one there is explained.
 * @param contentType As written, if it is.
 */
export function readBody(
  reading: Reading,
  start: number,
  indent: number,
  method: string,
  contentType?: string,
): BodyReading {
  const { source } = reading;
  const next = findSeparator(source, start, indent);
  const handlers = findHandlers(source, start, next);
  const rest = blankOut(source.slice(start, next), handlers, start);
  const { whole, saveTo } = takeSaveLine(reading, start, withoutReferences(rest.trimEnd()));
  const body = readContent(reading, start, whole, method, contentType);
  return {
    body,
    next,
    ...(saveTo === undefined ? {} : { saveTo }),
    ...(handlers.length === 0 ? {} : { handlers }),
  };
}

function readContent(
  reading: Reading,
  start: number,
  whole: string,
  method: string,
  contentType: string | undefined,
): BodyDraft | undefined {
  const { source } = reading;
  const end = start + whole.length;
  if (end === start) return undefined;
  if ((method === "GET" || method === "HEAD") && isAside(reading, start, end, method)) {
    return undefined;
  }
  refuseScript(reading, start, whole);
  const comments = isJson(whole, contentType) ? commentsInJson(source, start, end) : [];
  const content = start + whole.length - whole.trimStart().length;
  const file = FILE.exec(source.slice(content, end));
  if (file !== null && !/[\r\n]/.test(source.slice(content, end))) {
    const [mark, at, encoding] = file;
    const path = reading.template({ start: content + mark.length, end });
    const named = encoding === undefined || encoding === "" ? {} : { encoding };
    const span = { start: content, end };
    return { kind: "file", path, interpolated: at !== undefined, ...named, span };
  }
  if (comments.length === 0) {
    const span = { start: lineStart(source, content, start), end };
    return { kind: "text", text: reading.template(span), span };
  }
  const bare = blankOut(whole, comments, start);
  if (bare.trim() === "") return undefined;
  const first = start + bare.length - bare.trimStart().length;
  const span = {
    start: lineStart(source, first, start),
    end: start + bare.trimEnd().length,
  };
  const text = reading.template(span, blankOut(source, comments));
  return { kind: "text", text, span };
}

/** As the type says, or, without one, as the first character does that is in no comment. */
function isJson(body: string, contentType: string | undefined): boolean {
  if (contentType !== undefined) return /[/+]json\s*(?:;|$)/i.test(contentType);
  const first = body.split(/\r\n?|\n/).find((line) => !/^[ \t]*(?:$|#|\/\/)/.test(line));
  return first !== undefined && /^[ \t]*(?:\[|\{(?!\{))/.test(first);
}

/** `>> path` and `>>! path`, as JetBrains' client has them, behind everything else. */
function takeSaveLine(
  reading: Reading,
  start: number,
  text: string,
): { readonly whole: string; readonly saveTo?: SaveDraft } {
  const line = lineStart(text, text.length, 0);
  const mark = /^[ \t]*>>(!?)[ \t]+(?=\S)/.exec(text.slice(line));
  if (mark === null) return { whole: text };
  const path = reading.template({ start: start + line + mark[0].length, end: start + text.length });
  return { whole: text.slice(0, line).trimEnd(), saveTo: { path, replace: mark[1] === "!" } };
}

/** Where the line begins whose first characters are `###`, from `from` on. */
function findSeparator(source: string, from: number, indent: number): number {
  let hit = source.indexOf("###", from);
  while (hit !== -1) {
    const start = lineStart(source, hit, from);
    if (hit - start <= indent && source.slice(start, hit).trim() === "") return start;
    hit = source.indexOf("###", lineAt(source, hit).next);
  }
  return source.length;
}

/** Where the line of an offset begins, `from` at the least. */
function lineStart(source: string, offset: number, from: number): number {
  let start = offset;
  while (start > from && source[start - 1] !== "\n" && source[start - 1] !== "\r") start--;
  return start;
}

/** Lines `<> answer.json`, which JetBrains' editor adds behind a request, are no part of the body. */
function withoutReferences(text: string): string {
  if (!text.includes("<>")) return text;
  let rest = text;
  for (;;) {
    const start = lineStart(rest, rest.length, 0);
    if (!/^<>[ \t]+\S/.test(rest.slice(start))) return rest;
    rest = rest.slice(0, start).trimEnd();
  }
}

/** A script of JetBrains' or httpYac's files would be sent as text to a server that expects none. */
function refuseScript(reading: Reading, start: number, body: string): void {
  if (!body.includes("{%")) return;
  const script = /^[ \t]*[<>][ \t]*\{%/m.exec(body);
  if (script === null) return;
  const span = { start: start + script.index, end: start + script.index + script[0].length };
  const hint = "Remove it, and do its work in a TypeScript cell";
  reading.report(span, "Scripts inside a request are not supported", hint);
}

/** Behind a GET, comments alone are no body, and a request or variable line begins something new. */
function isAside(reading: Reading, start: number, end: number, method: string): boolean {
  const { source } = reading;
  let next = start;
  while (next < end) {
    const line = lineAt(source, next);
    next = startsHandler(line.text) ? scriptAt(source, line, end).next : line.next;
    if (startsHandler(line.text)) continue;
    const kind = classifyLine(line.text);
    if (kind === "blank" || kind === "comment" || kind === "annotation") continue;
    // httpYac keeps the answer that came below the request.
    if (/^HTTP\/\d(?:\.\d)?[ \t]+\d{3}(?:[ \t]|$)/.test(line.text)) return true;
    const assigns = kind === "assignment" && line.text.includes("=");
    if (!assigns && !isPlainRequestLine(line.text)) return false;
    const what = assigns ? "A variable line" : "A second request line";
    const message = `${what} is in the place of the body of a ${method} request`;
    reading.report(trimLine(line), message, 'Put a line "###" before it');
    return true;
  }
  return true;
}
