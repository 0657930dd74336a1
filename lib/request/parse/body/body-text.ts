import {
  collectTemplate,
  joinTemplates,
  type SourceText,
  type Span,
  type Template,
} from "../../../interpolation/mod.ts";
import { type BodyDraft, isJsonType } from "../../draft/mod.ts";
import { lineStart, type Parser } from "../lines/mod.ts";
import type { OmittedComments } from "./comments.ts";
import { blankOut, findJsonComments, toSpaces } from "./json-comments.ts";

/**
 * Parses a body of text. If it may be JSON, which a Content-Type without a value yet decides, the draft also has the
 * text without its comments.
 *
 * @param left Which comment lines are left out of the body.
 * @param type The written Content-Type, unless placeholders decide about it.
 */
export function readBodyText(
  parser: Parser,
  written: Written,
  left: OmittedComments,
  type: string | undefined,
): Extract<BodyDraft, { readonly kind: "text" }> | undefined {
  const { source } = parser;
  const { span, omitted } = written;
  const mayBeJson = type === undefined || (isJsonType(type) && left === "all");
  const comments = mayBeJson ? findJsonComments(source, span, omitted) : [];
  const readTemplate = (piece: Span): Template => parser.template(piece);
  if (comments.length === 0) {
    return { kind: "text", text: readPieces(parser, written, readTemplate), span };
  }
  const bare = blankOut(source.slice(span.start, span.end), comments, span.start);
  const bareSpan = trimmedSpan(bare, span.start);
  const text = readPieces(parser, { span: bareSpan, omitted, comments }, readTemplate);
  const json = { text, span: bareSpan };
  if (type !== undefined) return text.parts.length === 0 ? undefined : { kind: "text", ...json };
  // Braces in a comment need not be placeholders, unless the comment may be text.
  const isObject = left !== "later" && /^\s*(?:\[|\{(?!\{))/.test(bare);
  const readLeniently = (piece: Span): Template => collectTemplate(parser, piece, []);
  const whole = readPieces(parser, written, isObject ? readLeniently : readTemplate);
  return { kind: "text", text: whole, span, json };
}

/** A text without some of its lines, and with spaces in place of its comments. */
interface Written {
  readonly span: Span;
  readonly omitted: readonly Span[];
  readonly comments?: readonly Span[];
}

function readPieces(
  { source, firstLine }: SourceText,
  { span, omitted, comments = [] }: Written,
  read: (piece: Span) => Template,
): Template {
  const gaps = [
    ...omitted.map((gap) => ({ ...gap, isComment: false })),
    ...comments.map((gap) => ({ ...gap, isComment: true })),
  ].sort((one, other) => one.start - other.start);
  const pieces: Template[] = [];
  let at = span.start;
  for (const { isComment, ...gap } of gaps) {
    // A comment may contain omitted lines, and the span begin or end inside one.
    const start = Math.max(gap.start, at);
    const end = Math.min(gap.end, span.end);
    if (start >= end) continue;
    const parts = isComment ? [toSpaces(source.slice(start, end))] : [];
    pieces.push(read({ start: at, end: start }), { source, firstLine, parts });
    at = end;
  }
  return joinTemplates([...pieces, read({ start: at, end: span.end })]);
}

/** The span of a text from its first to its last line that is not blank. */
function trimmedSpan(text: string, offset: number): Span {
  const end = text.trimEnd().length;
  const first = text.length - text.trimStart().length;
  return { start: offset + Math.min(lineStart(text, first, 0), end), end: offset + end };
}
