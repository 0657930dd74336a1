import { startsAsCurl } from "../../curl/mod.ts";
import type { Template, TemplateSyntaxError } from "../../interpolation/mod.ts";
import type {
  Annotation,
  Entry,
  ImportDraft,
  RequestDraft,
  RequestSyntaxError,
  RequestText,
  RunDraft,
} from "../draft/mod.ts";
import { entriesOf, referencesOf, refusedAnnotation } from "../draft/mod.ts";
import { readAssignment } from "./assignment.ts";
import { type ParsedBody, readBody } from "./body/mod.ts";
import { readCurl } from "./curl-entry.ts";
import { endOfBlock, foreignBlockAt } from "./foreign-block.ts";
import { type Head, readHead } from "./head.ts";
import { readImport, readImportAnnotation, readRun, startsImport, startsRun } from "./imports.ts";
import {
  afterComment,
  classifyLine,
  createParser,
  indentation,
  type Line,
  lineAt,
  type Parser,
  readAnnotation,
  readRequestLine,
  trimLine,
} from "./lines/mod.ts";
import { readLoop } from "./loop.ts";

/** The title and annotations before a request. */
interface Preface {
  readonly title?: string;
  readonly annotations: Annotation[];
}

/**
 * Parses a request text into requests and `@name = value` lines, in order. No value is looked up, and no file
 * that it imports is read.
 *
 * @param text Text as in `.http` files; a byte order mark and a first line `%%http` are skipped.
 * @returns The entries, possibly none.
 * @throws {RequestSyntaxError} With all faults, including malformed placeholders.
 * @throws {TemplateSyntaxError} If only placeholders are malformed.
 */
export function parseEntries(text: string): readonly Entry[] {
  return entriesOf(parseText(text));
}

/** As {@link parseEntries}, with the lines that name other files. */
export function parseText(text: string): RequestText {
  const { failure, ...parsed } = readText(text);
  if (failure !== undefined) throw failure;
  return parsed;
}

/** A request text, and the error of what could not be parsed. */
export interface ParsedText extends RequestText {
  readonly failure: RequestSyntaxError | TemplateSyntaxError | undefined;
}

/** As {@link parseText}, for callers that need the valid parts of a text with faults. */
export function readText(text: string): ParsedText {
  const parser = createParser(text);
  const statements: (Entry | RunDraft)[] = [];
  const imports: ImportDraft[] = [];
  const addRequest = (request: RequestDraft): void => {
    noteAnnotations(request.annotations);
    const loop = readLoop(parser, request.annotations);
    statements.push(loop === undefined ? request : { ...request, loop });
  };
  const addAssignment = (line: Line): void => {
    const assignment = readAssignment(parser, trimLine(line));
    if (assignment !== undefined) statements.push(assignment);
  };
  const noteAnnotations = (annotations: readonly Annotation[]): void => {
    for (const annotation of annotations) {
      const named = readImportAnnotation(parser, annotation);
      if (named !== undefined) imports.push(named);
      const refused = refusedAnnotation(annotation);
      if (refused !== undefined) parser.report(annotation.span, refused.message, refused.hint);
    }
  };
  /** Ends a block without a request: its references are sent all the same, as in httpYac. */
  const endBlock = ({ annotations }: Preface): void => {
    noteAnnotations(annotations);
    for (const { name, force, span } of referencesOf({ annotations })) {
      const run = { target: name, isFile: false, isReference: !force, given: [], span } as const;
      statements.push({ kind: "run", ...run });
    }
  };
  let preface: Preface = { annotations: [] };
  let offset = contentStart(text);
  while (offset < text.length) {
    const line = lineAt(text, offset);
    const kind = classifyLine(line.text);
    offset = line.next;
    if (kind === "separator") {
      endBlock(preface);
      preface = readSeparator(line);
    } else if (kind === "annotation") {
      preface.annotations.push({ ...readAnnotation(line.text), span: trimLine(line) });
    } else if (kind === "assignment") {
      addAssignment(line);
    } else if (kind === "other" && afterComment(text, line) !== undefined) {
      offset = afterComment(text, line) ?? text.length;
    } else if (kind === "other" && startsAsCurl(line.text)) {
      const { request, next } = readCurl(parser, line.start, preface);
      if (request !== undefined) addRequest(request);
      preface = { annotations: [] };
      offset = next;
    } else if (kind === "other" && startsImport(line.text)) {
      imports.push(readImport(line));
    } else if (kind === "other" && startsRun(line.text)) {
      statements.push(readRun(parser, line));
    } else if (kind === "other") {
      const block = foreignBlockAt(text, line);
      if (block !== undefined) {
        parser.report(block.span, block.message, block.hint);
        offset = block.next;
        continue;
      }
      const { request, variables, next } = readRequest(parser, line, preface);
      if (request === undefined) noteAnnotations(preface.annotations);
      else addRequest(request);
      for (const one of variables) addAssignment(one);
      preface = { annotations: [] };
      offset = next;
    }
  }
  endBlock(preface);
  return { source: text, statements, imports, failure: parser.failure() };
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
  const { body, saveTo, handlers, variables, next }: ParsedBody = head.bodiless
    ? { handlers: [], variables: [], next: start }
    : readBody(parser, { start, indent, method, contentType: contentTypeOf(head) });
  const annotations = [...preface.annotations, ...head.annotations];
  const name = annotations.findLast(({ key }) => key === "name")?.value;
  const remarks = parser.takeRemarks();
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

function contentTypeOf({ headers }: Head): Template | undefined {
  return headers.find(({ name }) => name.toLowerCase() === "content-type")?.value;
}
