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
import { type BodyReading, readBody } from "./body.ts";
import { readCurl } from "./curl-entry.ts";
import { type Head, readHead } from "./head.ts";
import {
  behindComment,
  classifyLine,
  indentation,
  type Line,
  lineAt,
  readAnnotation,
  trimLine,
} from "./line.ts";
import { type Reading, startReading } from "./reading.ts";
import { scriptAt, startsImport, startsPreparation } from "./scripts.ts";

/** What stands before a request and is said about it. */
interface Preface {
  readonly title?: string;
  readonly annotations: Annotation[];
}

/**
 * Parses a request text: requests and `@name = value` lines, in the order in which they stand. No
 * value is looked up and nothing is sent.
 *
 * @param text Text as in `.http` files; a byte order mark and a first line `%%http` are skipped.
 * @returns The entries, possibly none.
 * @throws {RequestSyntaxError} With everything that is wrong, broken placeholders included.
 * @throws {TemplateSyntaxError} When nothing but placeholders is broken.
 */
export function parseEntries(text: string): readonly Entry[] {
  const { entries, failure } = readEntries(text);
  if (failure !== undefined) throw failure;
  return entries;
}

/** What could be made out of a text, and the error of what could not. */
export interface EntriesReading {
  readonly entries: readonly Entry[];
  readonly failure: RequestSyntaxError | TemplateSyntaxError | undefined;
}

/** As {@link parseEntries}, for callers that want to look at the rest of a text with mistakes. */
export function readEntries(text: string): EntriesReading {
  if (last?.text === text) return last.reading;
  const reading = readAnew(text);
  // An error belongs to the one that it is thrown at.
  if (reading.failure === undefined) last = { text, reading };
  return reading;
}

/** Entries hold no values: a cell is checked and sent, and a loop sends one text again and again. */
let last: { readonly text: string; readonly reading: EntriesReading } | undefined;

function readAnew(text: string): EntriesReading {
  const reading = startReading(text);
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
      const assignment = readAssignment(reading, line);
      if (assignment !== undefined) entries.push(assignment);
    } else if (kind === "other" && behindComment(text, line) !== undefined) {
      offset = behindComment(text, line) ?? text.length;
    } else if (kind === "other" && startsAsCurl(line.text)) {
      const { request, next } = readCurl(reading, line.start, preface);
      if (request !== undefined) entries.push(request);
      preface = { annotations: [] };
      offset = next;
    } else if (kind === "other" && startsImport(line.text)) {
      const hint = "Run both files together, or add its requests with client.define";
      reading.report(trimLine(line), "Importing requests from other files is not supported", hint);
    } else if (kind === "other" && startsPreparation(line.text)) {
      const { next, ...span } = scriptAt(text, line);
      const first = { start: span.start, end: Math.min(span.end, line.end) };
      const hint = "Remove it, and do its work in a TypeScript cell or as @name = value";
      reading.report(first, "A script before a request is not run", hint);
      offset = next;
    } else if (kind === "other") {
      const { request, next } = readRequest(reading, line, preface);
      entries.push(request);
      preface = { annotations: [] };
      offset = next;
    }
  }
  return { entries, failure: reading.failure() };
}

/**
 * Parses the requests of a text, without its `@name = value` lines.
 *
 * @param text Text as in `.http` files.
 * @returns The requests, possibly none.
 * @throws {RequestSyntaxError} With everything that is wrong, broken placeholders included.
 * @throws {TemplateSyntaxError} When nothing but placeholders is broken.
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

/** Where the text begins, behind a byte order mark and `%%http`. */
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

function readAssignment(reading: Reading, line: Line): AssignmentDraft | undefined {
  const { source } = reading;
  const span = trimLine(line);
  const text = source.slice(span.start, span.end);
  const equals = text.indexOf("=");
  const hint = "Write @name = value";
  if (equals === -1) {
    reading.report(span, `The variable line "${shorten(text)}" has no equals sign`, hint);
    return undefined;
  }
  const isLazy = text[equals - 1] === ":";
  const whole = text.slice(1, isLazy ? equals - 1 : equals).trim();
  const [name = "", ...steps] = whole.split(".");
  if (isLazy) {
    // httpYac's, which is worked out anew wherever it is used.
    const place = { start: span.start + equals - 1, end: span.start + equals + 1 };
    const rule = `${hint} after the variables that it uses: it is evaluated once, in its place`;
    reading.report(place, 'Variable lines with ":=" are not supported', rule);
  }
  if (!isReachableName(name) || !steps.every(isReachableStep)) {
    const message = `The variable name "${shorten(whole)}" cannot be used in a placeholder`;
    const rule = "Names consist of letters, digits, _ and -, and begin with a letter or _";
    reading.report({ start: span.start, end: span.start + equals }, message, rule);
  }
  const valueSpan = {
    start: span.end - text.slice(equals + 1).trimStart().length,
    end: span.end,
  };
  const value = reading.template(valueSpan);
  const below = steps.length === 0 ? {} : { steps };
  return { kind: "assignment", name, ...below, value, valueSpan, span, source };
}

/** A property that a placeholder reaches behind a dot. */
function isReachableStep(step: string): boolean {
  return isReachableName(`_${step}`) && step !== "" && step !== "__proto__";
}

function readRequest(
  reading: Reading,
  line: Line,
  preface: Preface,
): { readonly request: RequestDraft; readonly next: number } {
  const head = readHead(reading, line);
  const { body, saveTo, handlers, next }: BodyReading = head.bodiless
    ? { body: undefined, next: head.next }
    : readBody(reading, head.next, indentation(line.text), head.method, contentTypeOf(head));
  const annotations = [...preface.annotations, ...head.annotations];
  for (const annotation of annotations) {
    const refused = refusedAnnotation(annotation);
    if (refused !== undefined) reading.report(annotation.span, refused.message, refused.hint);
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
    ...(handlers === undefined ? {} : { handlers }),
    span: { start: trimLine(line).start, end: body?.span.end ?? head.end },
    source: reading.source,
  };
  return { request, next };
}

/** As it is written; a placeholder in it is none that is looked into. */
function contentTypeOf({ headers }: Head): string | undefined {
  const header = headers.find(({ name }) => name.toLowerCase() === "content-type");
  return header?.value.parts.filter((part) => typeof part === "string").join("");
}
