import { collectTemplate, type Span, type Template } from "../../interpolation/mod.ts";
import type { BodyDraft, SaveDraft } from "../draft/mod.ts";
import { findJsonComments } from "./json-comments.ts";
import { classifyLine, indentation, lineAt, trimLine } from "./line.ts";
import type { Parser } from "./parser.ts";
import { isPlainRequestLine } from "./request-line.ts";
import { blankOut, findHandlers, scriptAt, startsHandler } from "./scripts.ts";

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
  contentType?: Template,
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
  contentType: Template | undefined,
): BodyDraft | undefined {
  const { source } = parser;
  const end = start + whole.length;
  if (end === start) return undefined;
  if ((method === "GET" || method === "HEAD") && hasNoBody(parser, start, end, method)) {
    return undefined;
  }
  refuseScript(parser, start, whole);
  const content = skipComments(source, start, end);
  const file = FILE.exec(source.slice(content, end));
  if (file !== null && !/[\r\n]/.test(source.slice(content, end))) {
    const [mark, at, encoding] = file;
    const path = parser.template({ start: content + mark.length, end });
    const named = encoding === undefined || encoding === "" ? {} : { encoding };
    const span = { start: content, end };
    return { kind: "file", path, interpolated: at !== undefined, ...named, span };
  }
  return readText(parser, start, whole, contentType);
}

/** The start of the first line that is neither blank nor a comment, without its indentation. */
function skipComments(source: string, start: number, end: number): number {
  let line = lineAt(source, start);
  while (line.next < end && /^(?:blank|comment)$/.test(classifyLine(line.text))) {
    line = lineAt(source, line.next);
  }
  return line.start + indentation(line.text);
}

/** A body with comments that would go if it is JSON, which a Content-Type may decide that has no value yet. */
function readText(
  parser: Parser,
  start: number,
  whole: string,
  contentType: Template | undefined,
): BodyDraft | undefined {
  const { source } = parser;
  const written = trimmedSpan(source, start, whole);
  const comments = mayBeJson(contentType)
    ? findJsonComments(source, { start, end: written.end })
    : [];
  if (comments.length === 0) return { kind: "text", text: parser.template(written), span: written };
  const bare = blankOut(whole, comments, start);
  const span = trimmedSpan(source, start, bare);
  const json = { text: parser.template(span, blankOut(source, comments)), span };
  if (contentType !== undefined && isLiteral(contentType)) {
    return bare.trim() === "" ? undefined : { kind: "text", ...json };
  }
  // A comment may contain what is no placeholder, unless it may be text.
  const isObject = contentType === undefined && /^\s*(?:\[|\{(?!\{))/.test(bare);
  const text = isObject ? collectTemplate(source, written, []) : parser.template(written);
  return { kind: "text", text, span: written, json };
}

/** The span of a text from its first to its last line that is not blank. */
function trimmedSpan(source: string, start: number, text: string): Span {
  const first = start + text.length - text.trimStart().length;
  const end = start + text.trimEnd().length;
  return { start: Math.min(lineStart(source, first, start), end), end };
}

/** Whether a Content-Type can be that of JSON once its placeholders have values. */
function mayBeJson(contentType: Template | undefined): boolean {
  if (contentType === undefined || !isLiteral(contentType)) return true;
  return /[/+]json\s*(?:;|$)/i.test(contentType.parts.join(""));
}

function isLiteral({ parts }: Template): boolean {
  return parts.every((part) => typeof part === "string");
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
