import { joinTemplates, type Span, shorten, type Template } from "../interpolation/mod.ts";
import { endsHeaders } from "./body-lines.ts";
import type { Annotation, HeaderDraft } from "./draft.ts";
import { isHeaderName, splitHeader } from "./header-line.ts";
import {
  afterComment,
  classifyLine,
  indentation,
  type Line,
  lineAt,
  type Parser,
  readAnnotation,
  trimLine,
} from "./line.ts";
import {
  isSecondRequestLine,
  type RequestLine,
  readTarget,
  remarkNextRequest,
} from "./request-line.ts";
import { startsAssertion } from "./scripts.ts";
import { isVersion, partAtEnd, type TargetPart } from "./target.ts";

/** A request without its body. */
export interface Head {
  readonly method: string;
  readonly url: Template;
  readonly urlSpan: Span;
  readonly headers: readonly HeaderDraft[];
  readonly annotations: readonly Annotation[];
  /** The lines of assertions between the headers. */
  readonly assertions: readonly Span[];
  /** The end of its last line. */
  readonly end: number;
  /** The start of the body, or of the next entry if `bodiless`. */
  readonly next: number;
  /** Whether a separator or a mistake ends the request after its headers. */
  readonly bodiless: boolean;
}

/** Parses the continuation lines of a request line and the headers, up to the blank line after them. */
export function readHead(parser: Parser, first: Line, { method, target }: RequestLine): Head {
  const { source } = parser;
  const pieces = [parser.template(target)];
  const headers: HeaderDraft[] = [];
  const annotations: Annotation[] = [];
  const assertions: Span[] = [];
  const indent = indentation(first.text);
  let written = addToTarget(source.slice(target.start, target.end));
  let inHeaders = false;
  let headerIndent = Number.POSITIVE_INFINITY;
  let end = trimLine(first).end;
  let urlSpan = target;
  const finish = (next: number, bodiless: boolean): Head => {
    const url = joinTemplates(pieces);
    return { method, url, urlSpan, headers, annotations, assertions, end, next, bodiless };
  };
  const { lastClosing } = parser.blockAt(first.next, indent);
  let line = lineAt(source, first.next);
  for (; line.start < source.length; line = lineAt(source, line.next)) {
    const kind = classifyLine(line.text);
    if (kind === "blank") return finish(line.next, false);
    if (kind === "separator") return finish(line.start, true);
    if (kind === "comment") continue;
    const comment = line.start < lastClosing ? afterComment(source, line) : undefined;
    if (comment !== undefined) {
      line = { ...line, next: comment };
      continue;
    }
    const span = trimLine(line);
    if (startsAssertion(line.text)) {
      assertions.push(span);
      continue;
    }
    if (endsHeaders(line.text)) return finish(line.start, false);
    if (kind === "annotation") {
      annotations.push({ ...readAnnotation(line.text), span });
      continue;
    }
    if (!inHeaders && continuesTarget(line.text, indent, written)) {
      remarkContinuation(parser, line, written);
      const piece = readTarget(parser, span, "path", written.part);
      pieces.push(parser.template(piece));
      written = addToTarget(source.slice(piece.start, piece.end), written);
      urlSpan = { start: target.start, end: piece.end };
      end = span.end;
      continue;
    }
    inHeaders = true;
    if (isSecondRequestLine(line.text)) {
      remarkNextRequest(parser, line);
      return finish(line.start, true);
    }
    const header = readHeader(parser, line, headerIndent);
    if (header === "body") return finish(line.start, false);
    if (header !== undefined) headers.push(header);
    headerIndent = indentation(line.text);
    end = span.end;
  }
  return finish(source.length, true);
}

/** A target as far as it has been read. */
interface TargetSoFar {
  /** The part that its end belongs to. */
  readonly part: TargetPart;
  /** Whether it ends with a character after which more follows: `?`, `&`, `/`, `=` or a comma. */
  readonly isOpen: boolean;
}

/** Adds a line to a target. */
function addToTarget(text: string, before?: TargetSoFar): TargetSoFar {
  if (text === "" && before !== undefined) return before;
  return { part: partAtEnd(text, before?.part ?? "host"), isOpen: /[?&/=,]$/.test(text) };
}

/**
 * Whether a line continues a target: it begins with `?` or `&`, or it is indented and not a header. JetBrains'
 * editor reads every indented line as part of the target, VS Code's REST Client every one as a header.
 *
 * @param indent The indentation of the request line.
 */
function continuesTarget(text: string, indent: number, { isOpen }: TargetSoFar): boolean {
  const own = indentation(text);
  const line = text.slice(own).trimEnd();
  if (/^[?&]/.test(line)) return true;
  if (own <= indent) return false;
  if (line.startsWith("/") || isVersion(line)) return true;
  if (/^(?:\{(?!\{)|[[<>"@])/.test(line)) return false;
  if (/^\{\{[^{}]*\}\}$/.test(line)) return isOpen;
  return splitHeader(line) === undefined || (isOpen && !/:(?:[ \t]|$)/.test(line));
}

/** Adds a remark if neither the end of the target nor the beginning of the line shows that the line continues it. */
function remarkContinuation(parser: Parser, line: Line, { isOpen }: TargetSoFar): void {
  const span = trimLine(line);
  const text = parser.source.slice(span.start, span.end);
  if (isOpen || /^[?&/]/.test(text) || isVersion(text)) return;
  parser.remark("url", span, `The indented line "${shorten(text)}" continues the URL`);
}

const BLANK_LINE = "Leave a blank line between the headers and the body";

/**
 * Parses a line of the header section.
 *
 * @param indent The indentation of the header before it; a line with more may be meant to continue that header.
 * @returns The header; `undefined` if it is malformed; `"body"` if the body begins here without a blank line
 * before it. A malformed header is reported; so is a body unless it can be nothing else.
 */
function readHeader(parser: Parser, line: Line, indent: number): HeaderDraft | "body" | undefined {
  const span = trimLine(line);
  const text = parser.source.slice(span.start, span.end);
  const quoted = (): string => `"${shorten(text)}"`;
  if (/^\{\{[^{}]*\}\}$/.test(text)) return { name: "", value: parser.template(span), span };
  if (/^[{[<]/.test(text) && !text.startsWith("{{")) {
    const message = `The line ${quoted()} begins the body, with no blank line before it`;
    parser.remark("body", span, message);
    return "body";
  }
  if (/^["{>]/.test(text) && !/^\{\{[^{}]*\}\}[\w-]*:/.test(text)) {
    const message = `The line ${quoted()} is not a header: a blank line is missing`;
    parser.report(span, message, BLANK_LINE);
    return "body";
  }
  if (text.startsWith("@")) {
    const hint = "Put it before the request line";
    parser.report(span, `The variable line ${quoted()} is among the headers`, hint);
    return undefined;
  }
  if (text.startsWith("...")) {
    const hint = "Write each header as Name: value";
    parser.report(span, `Headers from an object, ${quoted()}, are not supported`, hint);
    return undefined;
  }
  if (indentation(line.text) > indent) {
    if (splitHeader(text) === undefined) {
      const hint = "Write a header value on one line, and the target before the headers";
      parser.report(span, `The line ${quoted()} among the headers begins with whitespace`, hint);
      return undefined;
    }
    const message = `The header ${quoted()} is indented more than the one before it`;
    parser.remark("header", span, message);
  }
  const colon = text.indexOf(":");
  if (colon === -1) {
    const message = `The line ${quoted()} is not a header, it has no colon: a blank line is missing`;
    parser.report(span, message, `${BLANK_LINE}, or write a header as Name: value`);
    return "body";
  }
  const name = text.slice(0, colon).trimEnd();
  if (!isHeaderName(name)) {
    parser.report({ start: span.start, end: span.start + colon }, ...nameFault(name, quoted()));
    return undefined;
  }
  const value = text.slice(colon + 1);
  const comment = /\s(?:#|\/\/)(?=\s)/.exec(value);
  if (comment !== null) {
    const from = span.start + colon + 2 + comment.index;
    const shown = shorten(parser.source.slice(from, span.end));
    const place = { start: from, end: span.end };
    parser.remark("header", place, `"${shown}" is sent as a part of the header "${name}"`);
  }
  const start = span.end - value.trimStart().length;
  return { name, value: parser.template({ start, end: span.end }), span };
}

function nameFault(name: string, quoted: string): [message: string, hint: string] {
  if (name === "")
    return [`The header line ${quoted} has no name`, "Write a header as Name: value"];
  const shown = `The header name "${shorten(name)}"`;
  if (name.includes("{{")) {
    return [
      `${shown} contains a placeholder`,
      "Placeholders are allowed in header values, not in names",
    ];
  }
  const hint = `Write a header as Name: value. If the body begins here, leave a blank line before it`;
  if (/\s/.test(name)) return [`${shown} contains whitespace`, hint];
  const character = [...name].find((one) => !isHeaderName(one)) ?? "";
  return [`${shown} contains "${character}", which is not allowed in a header name`, hint];
}
