import { parseAssertion } from "../../assertions/mod.ts";
import { startsAsCurl } from "../../curl/mod.ts";
import type { Span, Template, TemplateSyntaxError } from "../../interpolation/mod.ts";
import type {
  Annotation,
  Entry,
  ImportDraft,
  RequestDraft,
  RequestSyntaxError,
  RequestText,
  RunDraft,
  ScriptDraft,
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
  readScript,
  scriptAt,
  startsAssertion,
  startsHandler,
  startsRequestScript,
  startsScriptBlock,
  trimLine,
  unsupportedScript,
} from "./lines/mod.ts";
import { readLoop } from "./loop.ts";

/** The title, annotations and scripts before a request. */
interface Preface {
  readonly title?: string;
  readonly annotations: Annotation[];
  readonly scripts?: readonly ScriptDraft[];
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

/**
 * As {@link parseEntries}, with the lines that name other files.
 *
 * @param firstLine The line of its file on which the text begins; 1 by default.
 */
export function parseText(text: string, firstLine?: number): RequestText {
  const { failure, ...parsed } = readText(text, firstLine);
  if (failure !== undefined) throw failure;
  return parsed;
}

/** A request text, and the error of what could not be parsed. */
export interface ParsedText extends RequestText {
  readonly failure: RequestSyntaxError | TemplateSyntaxError | undefined;
}

/** As {@link parseText}, for callers that need the valid parts of a text with faults. */
export function readText(text: string, firstLine?: number): ParsedText {
  const parser = createParser({ source: text, firstLine });
  const statements: (Entry | RunDraft)[] = [];
  const imports: ImportDraft[] = [];
  const addRequest = (request: RequestDraft): void => {
    noteAnnotations(request.annotations);
    const loop = readLoop(parser, request.annotations);
    const { scripts = [], ...rest } = request;
    const own = scripts.filter(({ isForEach }) => isForEach !== true);
    const ofFile = scripts.flatMap((script) =>
      script.isForEach ? [{ ...script, kind: "script" } as const] : [],
    );
    const isAbove = ({ span }: ScriptDraft): boolean => span.start < request.span.start;
    statements.push(...ofFile.filter(isAbove));
    statements.push({
      ...rest,
      ...(own.length === 0 ? {} : { scripts: own }),
      ...(loop === undefined ? {} : { loop }),
    });
    statements.push(...ofFile.filter((script) => !isAbove(script)));
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
  const endBlock = ({ annotations, scripts = [] }: Preface): void => {
    noteAnnotations(annotations);
    for (const script of scripts) {
      const { dialect, when, isForEach, span } = script;
      if (isForEach || (dialect === "httpyac" && when === "before")) {
        statements.push({ ...script, kind: "script" });
        continue;
      }
      const hint = "Write a request below it, or remove it";
      parser.report(span, "A script before a request has no request below it", hint);
    }
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
      const below = readBelow(parser, next);
      if (request !== undefined) addRequest({ ...request, ...withChecks(parser, preface, below) });
      preface = { annotations: [] };
      offset = below.next;
    } else if (kind === "other" && startsImport(line.text)) {
      imports.push(readImport(line));
    } else if (kind === "other" && startsRun(line.text)) {
      statements.push(readRun(parser, line));
    } else if (kind === "other" && startsBefore(line.text)) {
      const script = scriptAt(text, line);
      const draft = readScript(parser, script, "before");
      if (draft !== undefined)
        preface = { ...preface, scripts: [...(preface.scripts ?? []), draft] };
      offset = script.next;
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
  return { source: text, firstLine, statements, imports, failure: parser.failure() };
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
  /** `undefined` if the line is not a request line, which is reported. */
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
  const parsed: ParsedBody = head.bodiless
    ? { assertions: [], scripts: [], variables: [], next: start }
    : readBody(parser, { start, indent, method, contentType: contentTypeOf(head) });
  const { body, saveTo, variables, next } = parsed;
  const annotations = [...preface.annotations, ...head.annotations];
  const name = annotations.findLast(({ key }) => key === "name")?.value;
  const checks = withChecks(parser, preface, {
    ...parsed,
    assertions: [...head.assertions, ...parsed.assertions],
  });
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
    ...checks,
    ...(remarks.length === 0 ? {} : { remarks }),
    span: { start: trimLine(line).start, end: body?.span.end ?? head.end },
    source: parser.source,
    firstLine: parser.firstLine,
  };
  return { request, variables, next };
}

function contentTypeOf({ headers }: Head): Template | undefined {
  return headers.find(({ name }) => name.toLowerCase() === "content-type")?.value;
}

type Checks = Pick<RequestDraft, "assertions" | "scripts" | "skipped">;

/** The assertions and scripts of a request; those that are missing are left out. */
function withChecks(
  parser: Parser,
  preface: Preface,
  written: Pick<ParsedBody, "assertions" | "scripts">,
): Checks {
  const { source } = parser;
  const assertions = written.assertions.flatMap((span) => parseAssertion(parser, span) ?? []);
  const read = written.scripts.map((span) => ({ span, draft: readScript(parser, span, "after") }));
  const scripts = [...(preface.scripts ?? []), ...read.flatMap(({ draft }) => draft ?? [])];
  const skipped = read.flatMap(({ span }) => {
    const reason = unsupportedScript(lineAt(source, span.start).text);
    return reason === undefined ? [] : [{ span, source, reason }];
  });
  return {
    ...(assertions.length === 0 ? {} : { assertions }),
    ...(scripts.length === 0 ? {} : { scripts }),
    ...(skipped.length === 0 ? {} : { skipped }),
  };
}

/** The assertions and scripts below a request that is read by another grammar. */
function readBelow(
  { source }: Parser,
  from: number,
): Pick<ParsedBody, "assertions" | "scripts" | "next"> {
  const assertions: Span[] = [];
  const scripts: Span[] = [];
  let next = from;
  for (let at = from; at < source.length; ) {
    const line = lineAt(source, at);
    at = line.next;
    if (line.text.trim() === "") continue;
    if (!startsHandler(line.text)) break;
    if (startsAssertion(line.text)) assertions.push(trimLine(line));
    else {
      const { start, end, next: after } = scriptAt(source, line);
      scripts.push({ start, end });
      at = after;
    }
    next = at;
  }
  return { assertions, scripts, next };
}

/** Whether a line begins a script that runs before the request below it. */
function startsBefore(text: string): boolean {
  if (startsRequestScript(text) || startsScriptBlock(text)) return true;
  return /^[ \t]*<[ \t]+\S.*\.[cm]?js[ \t]*$/.test(text);
}
