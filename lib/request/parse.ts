import { parseAssertion } from "../assertions/mod.ts";
import {
  joinTemplates,
  type Span,
  shorten,
  type Template,
  type TemplateSyntaxError,
} from "../interpolation/mod.ts";
import { findAnnotation, refusedAnnotation } from "./annotations.ts";
import { type ParsedBody, readBody } from "./body.ts";
import { type BodyPlace, writtenType } from "./body-lines.ts";
import { toDraft } from "./curl-entry.ts";
import {
  type Annotation,
  type Entry,
  entriesOf,
  type HeaderDraft,
  type ImportDraft,
  type LoopDraft,
  type RequestDraft,
  type RequestText,
  type RunDraft,
  readNames,
  referencesOf,
  type ScriptDraft,
  type SkippedScript,
} from "./draft.ts";
import type { RequestSyntaxError } from "./errors.ts";
import { readAssignment, readImport, readImportAnnotation, readLoop, readRun } from "./imports.ts";
import {
  classifyLine,
  createParser,
  indentation,
  type Line,
  lineAt,
  type Parser,
  readAnnotation,
  trimLine,
} from "./line.ts";
import { type LineKind, type OutlineLine, readOutline } from "./outline.ts";
import { remarkNextRequest } from "./request-line.ts";
import { foreignLanguage, readScript, unsupportedScript } from "./scripts.ts";
import { placeholdersOf } from "./templates.ts";

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
  /** What could not be parsed; `undefined` for a valid text. */
  readonly failure: RequestSyntaxError | TemplateSyntaxError | undefined;
}

/** As {@link parseText}, for callers that need the valid parts of a text with faults. */
export function readText(text: string, firstLine?: number): ParsedText {
  const parser = createParser({ source: text, firstLine });
  const lines = [...readOutline(text)];
  const read = new TextReader(parser).read(lines);
  return { source: text, firstLine, lines, ...read, failure: parser.failure() };
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

/** Reads the entries of a text from its lines. Faults go to the parser. */
class TextReader {
  readonly #parser: Parser;
  readonly #statements: (Entry | RunDraft)[] = [];
  readonly #imports: ImportDraft[] = [];
  /** What is written above the next request. */
  #preface: Preface = { annotations: [] };

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  read(lines: readonly OutlineLine[]): Pick<RequestText, "statements" | "imports"> {
    for (let at = 0; at < lines.length; ) {
      const line = lines[at] as OutlineLine;
      if (line.request === undefined) {
        this.#readLine(line);
        at += 1;
        continue;
      }
      let end = at + 1;
      while (lines[end]?.request === line.request) end += 1;
      this.#add([line, ...lines.slice(at + 1, end)], nextRequest(lines, end));
      at = end;
    }
    this.#endBlock();
    return { statements: this.#statements, imports: this.#imports };
  }

  /** Reads a line between requests. */
  #readLine(line: OutlineLine): void {
    const parser = this.#parser;
    parser.note(line);
    const { kind } = line;
    if (kind === "separator") {
      this.#endBlock();
      this.#preface = readSeparator(line);
    } else if (kind === "annotation") {
      this.#preface.annotations.push({ ...readAnnotation(line.text), span: trimLine(line) });
    } else if (kind === "assignment") this.#addAssignment(line);
    else if (kind === "import") this.#imports.push(readImport(line));
    else if (kind === "run") this.#statements.push(readRun(parser, line));
    else if (kind === "script") this.#addScript(line);
    else if (kind === "foreign") this.#dropPreface();
  }

  /** What is above something that is not a request belongs to no other. */
  #dropPreface(): void {
    this.#noteAnnotations(this.#preface.annotations);
    this.#preface = { annotations: [] };
  }

  #add(lines: readonly [OutlineLine, ...OutlineLine[]], next: OutlineLine | undefined): void {
    const { request, variables } = readRequest(this.#parser, lines, this.#preface, next);
    if (request === undefined) this.#dropPreface();
    else this.#addRequest(request);
    for (const line of variables) this.#addAssignment(line);
    this.#preface = { annotations: [] };
  }

  #addRequest(request: RequestDraft): void {
    this.#noteAnnotations(request.annotations);
    const loop = readLoop(this.#parser, request.annotations) ?? loopOf(request);
    const { scripts = [], ...rest } = request;
    const own = scripts.filter(({ isForEach }) => isForEach !== true);
    const ofFile = scripts.flatMap((script) =>
      script.isForEach ? [{ ...script, kind: "script" } as const] : [],
    );
    const isAbove = ({ span }: ScriptDraft): boolean =>
      span.start < (request.origin ?? request.span).start;
    this.#statements.push(...ofFile.filter(isAbove));
    this.#statements.push({
      ...rest,
      ...(own.length === 0 ? {} : { scripts: own }),
      ...(loop === undefined ? {} : { loop }),
    });
    this.#statements.push(...ofFile.filter((script) => !isAbove(script)));
  }

  #addScript(line: Line): void {
    const draft = readScript(this.#parser, trimLine(line), "before");
    const { scripts = [] } = this.#preface;
    if (draft !== undefined) this.#preface = { ...this.#preface, scripts: [...scripts, draft] };
  }

  #addAssignment(line: Line): void {
    const assignment = readAssignment(this.#parser, trimLine(line));
    if (assignment !== undefined) this.#statements.push(assignment);
  }

  #noteAnnotations(annotations: readonly Annotation[]): void {
    for (const annotation of annotations) {
      const named = readImportAnnotation(this.#parser, annotation);
      if (named !== undefined) this.#imports.push(named);
      const refused = refusedAnnotation(annotation);
      if (refused !== undefined)
        this.#parser.report(annotation.span, refused.message, refused.hint);
    }
  }

  /** Ends a block without a request: its references are sent all the same, as in httpYac. */
  #endBlock(): void {
    const { annotations, scripts = [] } = this.#preface;
    this.#noteAnnotations(annotations);
    for (const script of scripts) {
      const { dialect, when, isForEach, span } = script;
      if (isForEach || (dialect === "httpyac" && when === "before")) {
        this.#statements.push({ ...script, kind: "script" });
        continue;
      }
      const hint = "Write a request below it, or remove it";
      this.#parser.report(span, "A script before a request has no request below it", hint);
    }
    for (const { name, force, span } of referencesOf({ annotations })) {
      const run = { target: name, isFile: false, isReference: !force, given: [], span } as const;
      this.#statements.push({ kind: "run", ...run });
    }
  }
}

/** The loop of a request with `{{$.clients..id}}`, as JetBrains' client sends it. */
function loopOf(request: RequestDraft): LoopDraft | undefined {
  for (const part of placeholdersOf(request)) {
    if (part.kind === "path" && part.match !== undefined) return { kind: "each", list: part };
  }
  return undefined;
}

function readSeparator(line: Line): Preface {
  const title = line.text.trim().replace(/^#+/, "").trim();
  if (classifyLine(`# ${title}`) === "annotation") {
    return { annotations: [{ ...readAnnotation(`# ${title}`), span: trimLine(line) }] };
  }
  return title === "" ? { annotations: [] } : { title, annotations: [] };
}

const ABOVE_REQUEST: ReadonlySet<LineKind> = new Set([
  "blank",
  "comment",
  "annotation",
  "assignment",
]);

/** The next request line, if it belongs to another request without a separator. */
function nextRequest(lines: readonly OutlineLine[], from: number): OutlineLine | undefined {
  let at = from;
  while (ABOVE_REQUEST.has(lines[at]?.kind ?? "request")) at += 1;
  return lines[at]?.isUnseparated ? lines[at] : undefined;
}

/** The title, annotations and scripts before a request. */
interface Preface {
  readonly title?: string;
  readonly annotations: Annotation[];
  readonly scripts?: readonly ScriptDraft[];
}

/** A request that was read. */
interface ReadRequest {
  /** `undefined` for a curl command with mistakes. */
  readonly request: RequestDraft | undefined;
  /** The variable lines after it. */
  readonly variables: readonly Line[];
}

/**
 * Reads a request.
 *
 * @param lines Its lines, from its request line or curl command on.
 * @param next The line of the next request, if no separator is before it.
 */
function readRequest(
  parser: Parser,
  [first, ...lines]: readonly [OutlineLine, ...OutlineLine[]],
  preface: Preface,
  next: OutlineLine | undefined,
): ReadRequest {
  parser.note(first);
  if (first.kind === "curl") return readCurlRequest(parser, first, lines, preface);
  const { source, firstLine } = parser;
  const { method = "GET", target = trimLine(first) } = first;
  const urls = [readInHead(parser, target, "url")];
  let urlSpan = target;
  const headers: HeaderDraft[] = [];
  const annotations = [...preface.annotations];
  const inHead: Span[] = [];
  let type: BodyPlace["type"];
  let { end } = trimLine(first);
  for (const line of lines) {
    parser.note(line);
    if (line.isBelow) continue;
    const span = trimLine(line);
    if (line.kind === "target" || line.kind === "header") end = span.end;
    if (line.kind === "annotation") annotations.push({ ...readAnnotation(line.text), span });
    else if (line.kind === "assertion") inHead.push(span);
    else if (line.target !== undefined) {
      urls.push(readInHead(parser, line.target, "url"));
      urlSpan = { start: target.start, end: line.target.end };
    } else if (line.header !== undefined) {
      const { name, value } = line.header;
      headers.push({ name, value: readInHead(parser, value, "header"), span });
      if (name.toLowerCase() === "content-type") {
        type ??= writtenType(source.slice(value.start, value.end));
      }
    }
  }
  if (next !== undefined) remarkNextRequest(parser, next);
  const below = lines.filter(({ isBelow }) => isBelow);
  const place = { indent: indentation(first.text), method, type };
  const read = below.length === 0 ? NOTHING_BELOW : readBody(parser, below, place);
  const { body, saveTo, variables, ...checked } = read;
  const checks = withChecks(parser, preface, {
    ...checked,
    assertions: [...inHead, ...checked.assertions],
  });
  const remarks = parser.takeRemarks();
  const request: RequestDraft = {
    kind: "request",
    ...readNames(annotations, preface.title),
    annotations,
    method,
    ...(method.startsWith("{{") && {
      methodTemplate: parser.template(wordAt(first, method.length)),
    }),
    url: joinTemplates(urls),
    urlSpan,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(saveTo === undefined ? {} : { saveTo }),
    ...checks,
    ...(remarks.length === 0 ? {} : { remarks }),
    span: { start: trimLine(first).start, end: body?.span.end ?? end },
    source,
    firstLine,
  };
  return { request, variables };
}

/** The first word of a line. */
function wordAt(line: OutlineLine, length: number): Span {
  const { start } = trimLine(line);
  return { start, end: start + length };
}

/** Double braces whose content can begin no placeholder. */
const BRACES = /(?<!\\)\{\{[^\S\r\n]*(?![\s\p{L}_$=]|%[\p{L}_$?]|\?[ \t]*\p{L})[^{}\r\n]*\}\}/gu;

/** Parses a template of a URL or a header, where braces that are no placeholder are rarely meant. */
function readInHead(parser: Parser, { start, end }: Span, code: "url" | "header"): Template {
  for (const { 0: braces, index } of parser.source.slice(start, end).matchAll(BRACES)) {
    const span = { start: start + index, end: start + index + braces.length };
    const message = `"${shorten(braces)}" is sent as it is written: it is no placeholder`;
    parser.remark(code, span, message, "A name begins with a letter or _: {{name}}");
  }
  return parser.template({ start, end });
}

const NOTHING_BELOW: ParsedBody = {
  body: undefined,
  saveTo: undefined,
  assertions: [],
  scripts: [],
  variables: [],
};

/** Reads a request that is written as a curl command. */
function readCurlRequest(
  parser: Parser,
  { command }: OutlineLine,
  below: readonly OutlineLine[],
  preface: Preface,
): ReadRequest {
  if (command === undefined) return { request: undefined, variables: [] };
  const ofKind = (wanted: OutlineLine["kind"]): readonly Span[] =>
    below.filter(({ kind }) => kind === wanted).map(trimLine);
  const checks = { assertions: ofKind("question"), scripts: ofKind("script") };
  const request = toDraft(command, parser, preface);
  return { request: { ...request, ...withChecks(parser, preface, checks) }, variables: [] };
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
  const language = findAnnotation(preface.annotations, "lang")?.value;
  const skipped: SkippedScript[] = written.scripts.flatMap((span) => {
    const reason = unsupportedScript(lineAt(source, span.start).text);
    return reason === undefined ? [] : [{ span, source, reason }];
  });
  const read = written.scripts.flatMap((span) => readScript(parser, span, "after") ?? []);
  const scripts = [...(preface.scripts ?? []), ...read].filter((script) => {
    const reason = foreignLanguage(script, language);
    if (reason !== undefined) skipped.push({ span: script.span, source, reason });
    return reason === undefined;
  });
  return {
    ...(assertions.length === 0 ? {} : { assertions }),
    ...(scripts.length === 0 ? {} : { scripts }),
    ...(skipped.length === 0 ? {} : { skipped }),
  };
}
