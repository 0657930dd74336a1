import type { Span } from "../../interpolation/mod.ts";
import type { BodyDraft, SaveDraft } from "../draft/mod.ts";
import { classifyLine, lineAt, trimLine } from "./line.ts";
import type { Parser } from "./parser.ts";
import { isPlainRequestLine } from "./request-line.ts";
import { blankOut, commentsInJson, findHandlers, scriptAt, startsHandler } from "./scripts.ts";

/** A body, if there is one, and what follows it. */
export interface ParsedBody {
  readonly body: BodyDraft | undefined;
  /** Where the body of the response is saved. */
  readonly saveTo?: SaveDraft;
  /** Response handler scripts. */
  readonly handlers?: readonly Span[];
  /** The start of the next separator, or the end of the text. */
  readonly next: number;
}

/** `< path`, `<@ path` and `<@encoding path`. */
const FILE = /^<(?:(@)([\w-]*))?[ \t]+(?=\S)/;

/**
 * Parses the text between the headers and the next separator.
 *
 * @param start The start of the line after the blank line.
 * @param indent The indentation of the request line, which a separator does not exceed.
 * @param method For GET and HEAD, which have no body, mistakes are reported.
 * @param contentType The written Content-Type, if there is one.
 */
export function readBody(
  parser: Parser,
  start: number,
  indent: number,
  method: string,
  contentType?: string,
): ParsedBody {
  const { source } = parser;
  const next = findSeparator(source, start, indent);
  const handlers = findHandlers(source, start, next);
  const rest = blankOut(source.slice(start, next), handlers, start);
  const { whole, saveTo } = takeSaveLine(parser, start, withoutResponseReferences(rest.trimEnd()));
  const body = readContent(parser, start, whole, method, contentType);
  return {
    body,
    next,
    ...(saveTo === undefined ? {} : { saveTo }),
    ...(handlers.length === 0 ? {} : { handlers }),
  };
}

function readContent(
  parser: Parser,
  start: number,
  whole: string,
  method: string,
  contentType: string | undefined,
): BodyDraft | undefined {
  const { source } = parser;
  const end = start + whole.length;
  if (end === start) return undefined;
  if ((method === "GET" || method === "HEAD") && hasNoBody(parser, start, end, method)) {
    return undefined;
  }
  refuseScript(parser, start, whole);
  const comments = isJson(whole, contentType) ? commentsInJson(source, start, end) : [];
  const content = start + whole.length - whole.trimStart().length;
  const file = FILE.exec(source.slice(content, end));
  if (file !== null && !/[\r\n]/.test(source.slice(content, end))) {
    const [mark, at, encoding] = file;
    const path = parser.template({ start: content + mark.length, end });
    const named = encoding === undefined || encoding === "" ? {} : { encoding };
    const span = { start: content, end };
    return { kind: "file", path, interpolated: at !== undefined, ...named, span };
  }
  if (comments.length === 0) {
    const span = { start: lineStart(source, content, start), end };
    return { kind: "text", text: parser.template(span), span };
  }
  const bare = blankOut(whole, comments, start);
  if (bare.trim() === "") return undefined;
  const first = start + bare.length - bare.trimStart().length;
  const span = {
    start: lineStart(source, first, start),
    end: start + bare.trimEnd().length,
  };
  const text = parser.template(span, blankOut(source, comments));
  return { kind: "text", text, span };
}

/** By the Content-Type, or without one by the first character outside comments. */
function isJson(body: string, contentType: string | undefined): boolean {
  if (contentType !== undefined) return /[/+]json\s*(?:;|$)/i.test(contentType);
  const first = body.split(/\r\n?|\n/).find((line) => !/^[ \t]*(?:$|#|\/\/)/.test(line));
  return first !== undefined && /^[ \t]*(?:\[|\{(?!\{))/.test(first);
}

/** Takes off a last line `>> path` or `>>! path`, as in JetBrains' client. */
function takeSaveLine(
  parser: Parser,
  start: number,
  text: string,
): { readonly whole: string; readonly saveTo?: SaveDraft } {
  const line = lineStart(text, text.length, 0);
  const mark = /^[ \t]*>>(!?)[ \t]+(?=\S)/.exec(text.slice(line));
  if (mark === null) return { whole: text };
  const path = parser.template({ start: start + line + mark[0].length, end: start + text.length });
  return { whole: text.slice(0, line).trimEnd(), saveTo: { path, replace: mark[1] === "!" } };
}

/** The start of the first line from `from` on that begins with `###`. */
function findSeparator(source: string, from: number, indent: number): number {
  let hit = source.indexOf("###", from);
  while (hit !== -1) {
    const start = lineStart(source, hit, from);
    if (hit - start <= indent && source.slice(start, hit).trim() === "") return start;
    hit = source.indexOf("###", lineAt(source, hit).next);
  }
  return source.length;
}

/** The start of the line of an offset, at least `from`. */
function lineStart(source: string, offset: number, from: number): number {
  let start = offset;
  while (start > from && source[start - 1] !== "\n" && source[start - 1] !== "\r") start--;
  return start;
}

/** Removes lines `<> response.json`, which JetBrains' editor adds after a request. */
function withoutResponseReferences(text: string): string {
  if (!text.includes("<>")) return text;
  let rest = text;
  for (;;) {
    const start = lineStart(rest, rest.length, 0);
    if (!/^<>[ \t]+\S/.test(rest.slice(start))) return rest;
    rest = rest.slice(0, start).trimEnd();
  }
}

/** Without this, a script of JetBrains' or httpYac's files would be sent as the body. */
function refuseScript(parser: Parser, start: number, body: string): void {
  if (!body.includes("{%")) return;
  const script = /^[ \t]*[<>][ \t]*\{%/m.exec(body);
  if (script === null) return;
  const span = { start: start + script.index, end: start + script.index + script[0].length };
  const hint = "Remove it, and do its work in a TypeScript cell";
  parser.report(span, "Scripts inside a request are not supported", hint);
}

/** After a GET or HEAD, comments are not a body, and a request or variable line without `###` is a mistake. */
function hasNoBody(parser: Parser, start: number, end: number, method: string): boolean {
  const { source } = parser;
  let next = start;
  while (next < end) {
    const line = lineAt(source, next);
    next = startsHandler(line.text) ? scriptAt(source, line, end).next : line.next;
    if (startsHandler(line.text)) continue;
    const kind = classifyLine(line.text);
    if (kind === "blank" || kind === "comment" || kind === "annotation") continue;
    // httpYac saves the response below the request.
    if (/^HTTP\/\d(?:\.\d)?[ \t]+\d{3}(?:[ \t]|$)/.test(line.text)) return true;
    const assigns = kind === "assignment" && line.text.includes("=");
    if (!assigns && !isPlainRequestLine(line.text)) return false;
    const what = assigns ? "A variable line" : "A second request line";
    const message = `${what} is where the body of a ${method} request would be`;
    parser.report(trimLine(line), message, 'Put a line "###" before it');
    return true;
  }
  return true;
}
