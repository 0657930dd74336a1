import { startsAsCurl } from "../../curl/mod.ts";
import { isReachableName, type TemplateSyntaxError } from "../../interpolation/mod.ts";
import type {
  Annotation,
  AssignmentDraft,
  Entry,
  RequestDraft,
  RequestSyntaxError,
} from "../draft/mod.ts";
import { refusedAnnotation, shorten } from "../draft/mod.ts";
import { type ParsedBody, readBody } from "./body.ts";
import { readCurl } from "./curl-entry.ts";
import { endOfBlock, foreignBlockAt } from "./foreign-block.ts";
import { type Head, readHead } from "./head.ts";
import {
  afterComment,
  classifyLine,
  indentation,
  type Line,
  lineAt,
  readAnnotation,
  trimLine,
} from "./line.ts";
import { createParser, type Parser } from "./parser.ts";
import { readRequestLine } from "./request-line.ts";
import { startsImport } from "./scripts.ts";

/** The title and annotations before a request. */
interface Preface {
  readonly title?: string;
  readonly annotations: Annotation[];
}

/**
 * Parses a request text into requests and `@name = value` lines, in order. No value is looked up.
 *
 * @param text Text as in `.http` files; a byte order mark and a first line `%%http` are skipped.
 * @returns The entries, possibly none.
 * @throws {RequestSyntaxError} With all faults, including malformed placeholders.
 * @throws {TemplateSyntaxError} If only placeholders are malformed.
 */
export function parseEntries(text: string): readonly Entry[] {
  const { entries, failure } = readEntries(text);
  if (failure !== undefined) throw failure;
  return entries;
}

/** The entries of a text, and the error of what could not be parsed. */
interface ParsedEntries {
  readonly entries: readonly Entry[];
  readonly failure: RequestSyntaxError | TemplateSyntaxError | undefined;
}

/** As {@link parseEntries}, for callers that need the valid entries of a text with faults. */
export function readEntries(text: string): ParsedEntries {
  const parser = createParser(text);
  const entries: Entry[] = [];
  let preface: Preface = { annotations: [] };
  let offset = contentStart(text);
  while (offset < text.length) {
    const line = lineAt(text, offset);
    const kind = classifyLine(line.text);
    offset = line.next;
    if (kind === "separator") {
      preface = readSeparator(line);
    } else if (kind === "annotation") {
      preface.annotations.push({ ...readAnnotation(line.text), span: trimLine(line) });
    } else if (kind === "assignment") {
      const assignment = readAssignment(parser, line);
      if (assignment !== undefined) entries.push(assignment);
    } else if (kind === "other" && afterComment(text, line) !== undefined) {
      offset = afterComment(text, line) ?? text.length;
    } else if (kind === "other" && startsAsCurl(line.text)) {
      const { request, next } = readCurl(parser, line.start, preface);
      if (request !== undefined) entries.push(request);
      preface = { annotations: [] };
      offset = next;
    } else if (kind === "other" && startsImport(line.text)) {
      const hint = "Run both files together, or add its requests with client.define";
      parser.report(trimLine(line), "Importing requests from other files is not supported", hint);
    } else if (kind === "other") {
      const block = foreignBlockAt(text, line);
      if (block !== undefined) {
        parser.report(block.span, block.message, block.hint);
        offset = block.next;
        continue;
      }
      const { request, variables, next } = readRequest(parser, line, preface);
      if (request !== undefined) entries.push(request);
      for (const one of variables) {
        const assignment = readAssignment(parser, one);
        if (assignment !== undefined) entries.push(assignment);
      }
      preface = { annotations: [] };
      offset = next;
    }
  }
  return { entries, failure: parser.failure() };
}

/**
 * Parses the requests of a text, without its `@name = value` lines.
 *
 * @param text Text as in `.http` files.
 * @returns The requests, possibly none.
 * @throws {RequestSyntaxError} With all faults, including malformed placeholders.
 * @throws {TemplateSyntaxError} If only placeholders are malformed.
 *
 * @example
 * ```ts
 * const drafts = parseRequests(`
 * # @name list
 * GET {{base}}/users?limit=2
 *
 * ### remove one
 * DELETE {{base}}/users/{{id}}`);
 * drafts.map(({ method }) => method); // ["GET", "DELETE"]
 * drafts[0]?.name; // "list"
 * drafts[1]?.title; // "remove one"
 * ```
 */
export function parseRequests(text: string): readonly RequestDraft[] {
  return parseEntries(text).filter((entry) => entry.kind === "request");
}

/** The start of the text after a byte order mark and `%%http`. */
export function contentStart(text: string): number {
  const mark = /^\uFEFF?\s*%%http(?!\S)/.exec(text);
  return mark !== null ? mark[0].length : text.startsWith("\uFEFF") ? 1 : 0;
}

function readSeparator(line: Line): Preface {
  const title = line.text.trim().replace(/^#+/, "").trim();
  if (classifyLine(`# ${title}`) === "annotation") {
    return { annotations: [{ ...readAnnotation(`# ${title}`), span: trimLine(line) }] };
  }
  return title === "" ? { annotations: [] } : { title, annotations: [] };
}

function readAssignment(parser: Parser, line: Line): AssignmentDraft | undefined {
  const { source } = parser;
  const span = trimLine(line);
  const text = source.slice(span.start, span.end);
  const equals = text.indexOf("=");
  const hint = "Write @name = value";
  if (equals === -1) {
    parser.report(span, `The variable line "${shorten(text)}" has no equals sign`, hint);
    return undefined;
  }
  const isLazy = text[equals - 1] === ":";
  const whole = text.slice(1, isLazy ? equals - 1 : equals).trim();
  const [name = "", ...steps] = whole.split(".");
  if (isLazy) {
    // In httpYac, such a variable is evaluated at each use.
    const place = { start: span.start + equals - 1, end: span.start + equals + 1 };
    const rule = `${hint} after the variables that it uses: it is evaluated once, at this line`;
    parser.report(place, 'Variable lines with ":=" are not supported', rule);
  }
  if (!isReachableName(name) || !steps.every(isReachableStep)) {
    const message = `The variable name "${shorten(whole)}" cannot be used in a placeholder`;
    const rule = "Names consist of letters, digits, _ and -, and begin with a letter or _";
    parser.report({ start: span.start, end: span.start + equals }, message, rule);
  }
  const valueSpan = {
    start: span.end - text.slice(equals + 1).trimStart().length,
    end: span.end,
  };
  const value = parser.template(valueSpan);
  const below = steps.length === 0 ? {} : { steps };
  return { kind: "assignment", name, ...below, value, valueSpan, span, source };
}

/** Whether a placeholder can name a property after a dot. */
function isReachableStep(step: string): boolean {
  return isReachableName(`_${step}`) && step !== "" && step !== "__proto__";
}

function readRequest(
  parser: Parser,
  line: Line,
  preface: Preface,
): {
  /** `undefined` if the line is no request line, which is reported. */
  readonly request: RequestDraft | undefined;
  /** The variable lines after it. */
  readonly variables: readonly Line[];
  readonly next: number;
} {
  const requestLine = readRequestLine(parser, line);
  if (requestLine === undefined) {
    return { request: undefined, variables: [], next: endOfBlock(parser.source, line) };
  }
  const head = readHead(parser, line, requestLine);
  const { method, next: start } = head;
  const indent = indentation(line.text);
  const { body, saveTo, handlers, variables, remarks, next }: ParsedBody = head.bodiless
    ? { handlers: [], variables: [], remarks: [], next: start }
    : readBody(parser, { start, indent, method, contentType: contentTypeOf(head) });
  const annotations = [...preface.annotations, ...head.annotations];
  for (const annotation of annotations) {
    const refused = refusedAnnotation(annotation);
    if (refused !== undefined) parser.report(annotation.span, refused.message, refused.hint);
  }
  const name = annotations.findLast(({ key }) => key === "name")?.value;
  const request: RequestDraft = {
    kind: "request",
    ...(name === undefined || name === "" ? {} : { name }),
    ...(preface.title === undefined ? {} : { title: preface.title }),
    annotations,
    method: head.method,
    url: head.url,
    urlSpan: head.urlSpan,
    headers: head.headers,
    ...(body === undefined ? {} : { body }),
    ...(saveTo === undefined ? {} : { saveTo }),
    ...(handlers.length === 0 ? {} : { handlers }),
    ...(remarks.length === 0 ? {} : { remarks }),
    span: { start: trimLine(line).start, end: body?.span.end ?? head.end },
    source: parser.source,
  };
  return { request, variables, next };
}

/** The literal beginning of the Content-Type; placeholders have no value yet. */
function contentTypeOf({ headers }: Head): string | undefined {
  const header = headers.find(({ name }) => name.toLowerCase() === "content-type");
  const [first] = header?.value.parts ?? [];
  return typeof first === "string" ? first : undefined;
}
