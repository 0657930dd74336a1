import { startsAsCurl } from "../curl/mod.ts";
import type { TemplateSyntaxError } from "../interpolation/mod.ts";
import { refusedAnnotation } from "./annotations.ts";
import {
  type Annotation,
  type Entry,
  entriesOf,
  type ImportDraft,
  type RequestDraft,
  type RequestText,
  type RunDraft,
  referencesOf,
  type ScriptDraft,
} from "./draft.ts";
import type { RequestSyntaxError } from "./errors.ts";
import { foreignBlockAt } from "./foreign-block.ts";
import {
  readAssignment,
  readImport,
  readImportAnnotation,
  readLoop,
  readRun,
  startsImport,
  startsRun,
} from "./imports.ts";
import {
  afterComment,
  classifyLine,
  createParser,
  type Line,
  lineAt,
  type Parser,
  readAnnotation,
  trimLine,
} from "./line.ts";
import { type Preface, type ReadRequest, readCurlRequest, readRequest } from "./parse-request.ts";
import { readScript, scriptAt, startsRequestScript, startsScriptBlock } from "./scripts.ts";

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
  const read = new TextReader(parser).read(contentStart(text));
  return { source: text, firstLine, ...read, failure: parser.failure() };
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

/** Reads the entries of a text, line by line. Faults go to the parser. */
class TextReader {
  readonly #parser: Parser;
  readonly #statements: (Entry | RunDraft)[] = [];
  readonly #imports: ImportDraft[] = [];
  /** What is written above the next request. */
  #preface: Preface = { annotations: [] };

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** @param start Where the first line begins. */
  read(start: number): Pick<RequestText, "statements" | "imports"> {
    const { source } = this.#parser;
    let offset = start;
    while (offset < source.length) offset = this.#readLine(lineAt(source, offset));
    this.#endBlock();
    return { statements: this.#statements, imports: this.#imports };
  }

  /** Reads what begins on a line; returns where the next entry begins. */
  #readLine(line: Line): number {
    const kind = classifyLine(line.text);
    if (kind === "separator") {
      this.#endBlock();
      this.#preface = readSeparator(line);
    } else if (kind === "annotation") {
      this.#preface.annotations.push({ ...readAnnotation(line.text), span: trimLine(line) });
    } else if (kind === "assignment") this.#addAssignment(line);
    else if (kind === "other") return this.#readContent(line);
    return line.next;
  }

  #readContent(line: Line): number {
    const parser = this.#parser;
    const { source } = parser;
    const comment = afterComment(source, line);
    if (comment !== undefined) return comment;
    if (startsAsCurl(line.text)) return this.#add(readCurlRequest(parser, line, this.#preface));
    if (startsImport(line.text)) this.#imports.push(readImport(line));
    else if (startsRun(line.text)) this.#statements.push(readRun(parser, line));
    else if (startsBefore(line.text)) return this.#addScript(line);
    else {
      const block = foreignBlockAt(source, line);
      if (block === undefined) return this.#add(readRequest(parser, line, this.#preface));
      parser.report(block.span, block.message, block.hint);
      return block.next;
    }
    return line.next;
  }

  #add({ request, variables, next }: ReadRequest): number {
    if (request === undefined) this.#noteAnnotations(this.#preface.annotations);
    else this.#addRequest(request);
    for (const line of variables) this.#addAssignment(line);
    this.#preface = { annotations: [] };
    return next;
  }

  #addRequest(request: RequestDraft): void {
    this.#noteAnnotations(request.annotations);
    const loop = readLoop(this.#parser, request.annotations);
    const { scripts = [], ...rest } = request;
    const own = scripts.filter(({ isForEach }) => isForEach !== true);
    const ofFile = scripts.flatMap((script) =>
      script.isForEach ? [{ ...script, kind: "script" } as const] : [],
    );
    const isAbove = ({ span }: ScriptDraft): boolean => span.start < request.span.start;
    this.#statements.push(...ofFile.filter(isAbove));
    this.#statements.push({
      ...rest,
      ...(own.length === 0 ? {} : { scripts: own }),
      ...(loop === undefined ? {} : { loop }),
    });
    this.#statements.push(...ofFile.filter((script) => !isAbove(script)));
  }

  #addScript(line: Line): number {
    const script = scriptAt(this.#parser.source, line);
    const draft = readScript(this.#parser, script, "before");
    const { scripts = [] } = this.#preface;
    if (draft !== undefined) this.#preface = { ...this.#preface, scripts: [...scripts, draft] };
    return script.next;
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

function readSeparator(line: Line): Preface {
  const title = line.text.trim().replace(/^#+/, "").trim();
  if (classifyLine(`# ${title}`) === "annotation") {
    return { annotations: [{ ...readAnnotation(`# ${title}`), span: trimLine(line) }] };
  }
  return title === "" ? { annotations: [] } : { title, annotations: [] };
}

/** Whether a line begins a script that runs before the request below it. */
function startsBefore(text: string): boolean {
  if (startsRequestScript(text) || startsScriptBlock(text)) return true;
  return /^[ \t]*<[ \t]+\S.*\.[cm]?js[ \t]*$/.test(text);
}
