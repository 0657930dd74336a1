import { type CurlCommand, parseCommand, startsAsCommand } from "../curl/mod.ts";
import { type Span, shorten } from "../interpolation/mod.ts";
import {
  type BodyLine,
  type BodyLineKind,
  type BodyPlace,
  endsHeaders,
  mayBeAnyText,
  readBodyLines,
  writtenType,
} from "./body-lines.ts";
import type { Remark } from "./draft.ts";
import { endOfBlock, foreignBlockAt } from "./foreign-block.ts";
import { startsFragmentOfGraphql } from "./graphql.ts";
import { readHeader } from "./header-line.ts";
import { startsImport, startsRun } from "./imports.ts";
import {
  afterComment,
  type Block,
  classifyLine,
  indentation,
  type Line,
  lineAt,
  lineStart,
  trimLine,
} from "./line.ts";
import { isSecondRequestLine, readRequestLine, readTarget } from "./request-line.ts";
import { assertionEnd, scriptAt, startsAssertion, startsBefore, startsHandler } from "./scripts.ts";
import {
  addToTarget,
  continuesFragment,
  continuesTarget,
  isVersion,
  startsFragment,
  type TargetSoFar,
} from "./target.ts";

/**
 * What a line of a request text is. Of the kinds of lines below a request line, `content` is a line of the body;
 * where the body ends, the parser decides.
 */
export type LineKind =
  | BodyLineKind
  | "separator"
  | "annotation"
  | "import"
  | "run"
  /** A line of settings of a cell, such as `%env dev`. */
  | "setting"
  /** A block of another tool or language, or a line that is not a request line. */
  | "foreign"
  | "request"
  | "curl"
  /** It continues the target of the request line. */
  | "target"
  | "header";

/** A mistake in a line. */
export interface Mistake {
  readonly span: Span;
  readonly message: string;
  readonly hint: string;
}

/** A line of a request text, or the lines of a script, a block comment, a curl command or a body. */
export interface OutlineLine extends Line {
  readonly kind: LineKind;
  /** The number of its request in the text, from 0; `undefined` for what is between requests. */
  readonly request?: number | undefined;
  /** Whether it is below the headers of its request. */
  readonly isBelow?: boolean | undefined;
  /** The method of a request line. */
  readonly method?: string | undefined;
  /** The target of a request line, or its continuation. */
  readonly target?: Span | undefined;
  /** Whether no line `###` separates a request line from the request above it. */
  readonly isUnseparated?: boolean | undefined;
  /** A header without mistakes; its name is empty if the line is a placeholder. */
  readonly header?: { readonly name: string; readonly value: Span } | undefined;
  /** A curl command without mistakes. */
  readonly command?: CurlCommand | undefined;
  readonly mistakes: readonly Mistake[];
  readonly remarks: readonly Remark[];
}

/** Receives what is wrong or doubtful about lines. */
export interface Notes {
  readonly source: string;
  /** Records a mistake; reading continues. */
  report(span: Span, message: string, hint: string): void;
  /** Records what is doubtful. */
  remark(code: Remark["code"], span: Span, message: string, hint?: string): void;
}

/**
 * Reads a request text line by line, and says what each line is: the one grammar of request texts, for the parser and
 * for all that shows, completes or divides texts. Any text has an outline; what is wrong is noted at its line.
 *
 * @param source Text as in `.http` files; a byte order mark and a first line `%%http` are skipped.
 * @example the lines of `# @name list⏎GET /users⏎Accept: text/csv` are an `annotation`, a `request` and a `header`
 */
export function readOutline(source: string): Generator<OutlineLine> {
  return new OutlineReader(source).read(contentStart(source));
}

/** The start of the text after a byte order mark and `%%http`. */
export function contentStart(text: string): number {
  const mark = /^\uFEFF?\s*%%http(?!\S)/.exec(text);
  return mark !== null ? mark[0].length : text.startsWith("\uFEFF") ? 1 : 0;
}

const SINGLE: readonly (readonly [starts: (line: string) => boolean, kind: LineKind])[] = [
  [startsImport, "import"],
  [startsRun, "run"],
  [(line) => /^[ \t]*%(?:demo|env|import|strict)(?![\w%])/.test(line), "setting"],
];

const NONE: readonly never[] = [];

class OutlineReader implements Notes {
  readonly source: string;
  readonly #blocks = new Map<number, Block & { readonly start: number }>();
  readonly #mistakes: Mistake[] = [];
  readonly #remarks: Remark[] = [];
  #requests = 0;
  /** The number of the request whose lines are read. */
  #request: number | undefined;
  #isBelow: boolean | undefined;
  /** Whether the next request line is not separated from the request above it. */
  #isUnseparated = false;

  constructor(source: string) {
    this.source = source;
  }

  report(span: Span, message: string, hint: string): void {
    this.#mistakes.push({ span, message, hint });
  }

  remark(code: Remark["code"], span: Span, message: string, hint?: string): void {
    this.#remarks.push({ code, message, hint, span });
  }

  *read(start: number): Generator<OutlineLine> {
    for (let at = start; at < this.source.length; ) {
      this.#request = undefined;
      this.#isBelow = undefined;
      const line = lineAt(this.source, at);
      const kind = classifyLine(line.text);
      if (kind === "other") at = yield* this.#readOther(line);
      else {
        yield this.#line(kind, line);
        at = line.next;
      }
    }
  }

  /** A line with what has been noted since the last one. */
  #line(kind: LineKind, line: Line, more?: Partial<OutlineLine>): OutlineLine {
    const mistakes = this.#mistakes.length === 0 ? NONE : this.#mistakes.splice(0);
    const remarks = this.#remarks.length === 0 ? NONE : this.#remarks.splice(0);
    const { start, end, next, text } = line;
    const [request, isBelow] = [this.#request, this.#isBelow];
    return { kind, start, end, next, text, request, isBelow, ...more, mistakes, remarks };
  }

  /** Several lines. */
  #lines(kind: LineKind, { start, next }: Line, until: number): OutlineLine {
    const text = this.source.slice(start, until).replace(/(?:\r\n?|\n)$/, "");
    return this.#line(kind, { start, end: start + text.length, next: Math.max(next, until), text });
  }

  *#readOther(line: Line): Generator<OutlineLine, number> {
    const { source } = this;
    const comment = afterComment(source, line);
    if (comment !== undefined) {
      yield this.#lines("comment", line, comment);
      return comment;
    }
    if (startsAsCommand(line.text, true)) return yield* this.#readCurl(line);
    if (startsBefore(line.text)) {
      const { next } = scriptAt(source, line);
      yield this.#lines("script", line, next);
      return next;
    }
    const kind = SINGLE.find(([starts]) => starts(line.text))?.[1];
    if (kind !== undefined) {
      // In a cell it has been taken off before: anywhere else it is a mistake.
      if (kind === "setting") readRequestLine(this, line);
      yield this.#line(kind, line);
      return line.next;
    }
    if (startsFragmentOfGraphql(line.text)) {
      const next = endOfBlock(source, line);
      yield this.#lines("assignment", line, next);
      return next;
    }
    const block = foreignBlockAt(source, line);
    if (block !== undefined) this.report(block.span, block.message, block.hint);
    const requestLine = block === undefined ? readRequestLine(this, line) : undefined;
    if (requestLine !== undefined) return yield* this.#readRequest(line, requestLine);
    const next = block?.next ?? endOfBlock(source, line);
    yield this.#lines(startsAssertion(line.text) ? "assertion" : "foreign", line, next);
    return next;
  }

  *#readRequest(
    first: Line,
    { method, target }: { readonly method: string; readonly target: Span },
  ): Generator<OutlineLine, number> {
    const { source } = this;
    this.#request = this.#requests++;
    yield this.#line("request", first, { method, target, isUnseparated: this.#isUnseparated });
    this.#isUnseparated = false;
    const indent = indentation(first.text);
    const { lastClosing } = this.#blockAt(first.next, indent);
    let written = addToTarget(source.slice(target.start, target.end));
    let headerIndent: number | undefined;
    let hasFragment = false;
    let contentType: string | undefined;
    const place = (start: number): BodyPlace & { readonly start: number } => {
      return { start, indent, method, type: writtenType(contentType) };
    };
    let line = lineAt(source, first.next);
    for (; line.start < source.length; line = lineAt(source, line.next)) {
      const kind = classifyLine(line.text);
      if (kind === "separator") return line.start;
      const comment = line.start < lastClosing ? afterComment(source, line) : undefined;
      if (comment !== undefined) {
        yield this.#lines("comment", line, comment);
        line = { ...line, next: comment };
      } else if (kind === "blank") {
        yield this.#line("blank", line);
        return yield* this.#readBody(place(line.next));
      } else if (kind === "comment" || (hasFragment && continuesFragment(line.text, indent))) {
        const isOfTarget = headerIndent === undefined && !written.isOpen;
        hasFragment ||= isOfTarget && startsFragment(line.text, indent);
        yield this.#line("comment", line);
      } else if (startsAssertion(line.text)) {
        const next = assertionEnd(source, line);
        yield this.#lines("assertion", line, next);
        line = { ...line, next };
      } else if (endsHeaders(line.text)) return yield* this.#readBody(place(line.start));
      else if (kind === "annotation") yield this.#line("annotation", line);
      else if (headerIndent === undefined && continuesTarget(line.text, indent, written)) {
        this.#remarkContinuation(line, written);
        const piece = readTarget(this, trimLine(line), "path", written.part);
        written = addToTarget(source.slice(piece.start, piece.end), written);
        yield this.#line("target", line, { target: piece });
      } else {
        if (isSecondRequestLine(line.text)) {
          this.#isUnseparated = true;
          return line.start;
        }
        const header = readHeader(this, line, headerIndent);
        if (header === "body") return yield* this.#readBody(place(line.start));
        if (header?.name.toLowerCase() === "content-type") {
          contentType ??= source.slice(header.value.start, header.value.end);
        }
        headerIndent = indentation(line.text);
        yield this.#line("header", line, { header });
      }
    }
    return source.length;
  }

  /** Adds a remark if neither the end of the target nor the beginning of the line shows that the line continues it. */
  #remarkContinuation(line: Line, { isOpen }: TargetSoFar): void {
    const text = line.text.trim();
    if (isOpen || /^[?&/]/.test(text) || isVersion(text)) return;
    const message = `The indented line "${shorten(text)}" continues the URL`;
    this.remark("url", trimLine(line), message);
  }

  /**
   * Reads the lines up to the next separator, or to a request without one, as httpYac has them: its line is where a
   * body or a paragraph of it would begin, or after a script. In a body of text or of HTTP messages such a line may
   * belong to the body.
   */
  *#readBody({
    start,
    ...place
  }: BodyPlace & { readonly start: number }): Generator<OutlineLine, number> {
    this.#isBelow = true;
    const block = this.#blockAt(start, place.indent);
    let isText: boolean | undefined;
    let isBeforeRequest = true;
    /** Lines that belong to the next request if one follows. */
    let waiting: BodyLine[] = [];
    for (const line of readBodyLines(this.source, start, block)) {
      if (line.kind === "blank" || line.kind === "comment" || line.kind === "assignment") {
        isBeforeRequest ||= isText === false;
        waiting.push(line);
        continue;
      }
      if (line.kind === "script" || line.kind === "handler") isBeforeRequest = true;
      if (line.kind === "content") {
        const isFirst = isText === undefined;
        isText ??= mayBeAnyText(place, line);
        const mayBegin = isBeforeRequest && !(isFirst && isText);
        if (mayBegin && indentation(line.text) <= place.indent && isSecondRequestLine(line.text)) {
          this.#isUnseparated = true;
          return waiting[0]?.start ?? line.start;
        }
        isBeforeRequest = false;
      }
      for (const one of waiting) yield this.#line(one.kind, one);
      waiting = [];
      yield this.#line(line.kind, line);
    }
    for (const one of waiting) yield this.#line(one.kind, one);
    return block.end;
  }

  /** Reads a command, and the assertions and scripts below it. */
  *#readCurl(line: Line): Generator<OutlineLine, number> {
    const { source } = this;
    const { command, next } = parseCommand(source, line.start, line.text, (...mistake) =>
      this.report(...mistake),
    );
    this.#request = this.#requests++;
    const curl = this.#lines("curl", line, next);
    yield { ...curl, command };
    this.#isBelow = true;
    let end = next;
    let blanks: Line[] = [];
    for (let at = next; at < source.length; ) {
      const below = lineAt(source, at);
      at = below.next;
      if (below.text.trim() === "") {
        blanks.push(below);
        continue;
      }
      if (!startsHandler(below.text)) break;
      for (const blank of blanks) yield this.#line("blank", blank);
      blanks = [];
      if (startsAssertion(below.text)) yield this.#line("question", below);
      else {
        at = scriptAt(source, below).next;
        yield this.#lines("script", below, at);
      }
      end = at;
    }
    return end;
  }

  /**
   * Finds the end of the block of an offset, for a request whose line has an indentation, which a separator does not
   * exceed. Several requests of one block search its end once.
   */
  #blockAt(start: number, indent: number): Block {
    const { source } = this;
    const known = this.#blocks.get(indent);
    if (known !== undefined && known.start <= start && start <= known.end) return known;
    const end = findSeparator(source, start, indent);
    const block = { start, end, lastClosing: start + source.slice(start, end).lastIndexOf("*/") };
    this.#blocks.set(indent, block);
    return block;
  }
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
