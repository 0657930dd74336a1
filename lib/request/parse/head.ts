import { joinTemplates, type Span, type Template } from "../../interpolation/mod.ts";
import type { Annotation, HeaderDraft } from "../draft/mod.ts";
import { endsHeaders } from "./body/mod.ts";
import { addToTarget, continuesTarget, remarkContinuation } from "./continued-target.ts";
import { readHeader } from "./header-line.ts";
import {
  afterComment,
  classifyLine,
  indentation,
  isSecondRequestLine,
  type Line,
  lineAt,
  type Parser,
  type RequestLine,
  readAnnotation,
  readTarget,
  remarkNextRequest,
  startsAssertion,
  trimLine,
} from "./lines/mod.ts";

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
