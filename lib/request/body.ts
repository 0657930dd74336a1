import {
  collectTemplate,
  joinTemplates,
  type SourceText,
  type Span,
  shorten,
  type Template,
} from "../interpolation/mod.ts";
import {
  type BodyPlace,
  blankOut,
  embedsRequests,
  findJsonComments,
  type OmittedComments,
  omittedComments,
  startsQuery,
  toSpaces,
} from "./body-lines.ts";
import type { BodyDraft, SaveDraft } from "./draft.ts";
import { isJsonType } from "./header-line.ts";
import { type Line, lineAt, lineStart, type Parser, startsVariableLine, trimLine } from "./line.ts";
import type { LineKind, OutlineLine } from "./outline.ts";
import { isSecondRequestLine } from "./request-line.ts";
import { startsRequestScript } from "./scripts.ts";

/** A body, if there is one, and what follows it. */
export interface ParsedBody {
  readonly body: BodyDraft | undefined;
  /** Where the body of the response is saved. */
  readonly saveTo: SaveDraft | undefined;
  /** The lines of assertions. */
  readonly assertions: readonly Span[];
  /** Scripts after the body. */
  readonly scripts: readonly Span[];
  /** Lines `@name = value` after the body. */
  readonly variables: readonly Line[];
}

/**
 * Parses what is below the headers of a request.
 *
 * @param lines The lines up to the next separator or request.
 */
export function readBody(
  parser: Parser,
  lines: readonly OutlineLine[],
  place: BodyPlace,
): ParsedBody {
  const type = place.type?.literal;
  const split = splitLines(lines, place);
  const { after, comments } = split;
  const body = reportMistakes(parser, split) ? [] : split.body;
  remarkOnBody(parser, body, comments, type);
  const inBody = body.filter(({ kind }) => kind === "assertion");
  const ofKinds = (...kinds: readonly LineKind[]): readonly OutlineLine[] =>
    after.filter(({ kind }) => kinds.includes(kind));
  const saveLine = after.find(({ kind }) => kind === "save");
  return {
    body: readContent(parser, body, comments, type),
    saveTo: saveLine && readSaveLine(parser, saveLine),
    assertions: [...inBody, ...ofKinds("assertion", "question")].map(trimLine),
    scripts: ofKinds("script", "handler").map(trimLine),
    variables: after.filter(({ kind }) => kind === "assignment"),
  };
}

interface SplitLines {
  /** From the first to the last line that is content, comments and assertions between them included. */
  readonly body: readonly OutlineLine[];
  readonly after: readonly OutlineLine[];
  /** Which comment lines of the body are left out. */
  readonly comments: OmittedComments;
}

function splitLines(lines: readonly OutlineLine[], place: BodyPlace): SplitLines {
  const comments = omittedComments(place, lines.filter(isContent));
  const mayBelong = comments === "none" || comments === "later";
  let end = lines.findLastIndex(isContent) + 1;
  // Only the last of several lines `>> file` is one: the others are quotes.
  const quoted = lines.findLastIndex(({ kind }) => kind === "save");
  end = Math.max(end, lines.slice(0, Math.max(quoted, 0)).findLastIndex(isSave) + 1);
  if (mayBelong) {
    const rest = lines.slice(end).findIndex(({ kind }) => kind !== "blank" && kind !== "comment");
    const until = rest === -1 ? lines.length : end + rest;
    end = Math.max(end, lines.slice(0, until).findLastIndex(({ kind }) => kind === "comment") + 1);
  }
  const isFirst = ({ kind }: OutlineLine): boolean =>
    kind !== "blank" && (kind !== "comment" || mayBelong);
  const start = lines.findIndex(isFirst);
  return { body: lines.slice(Math.max(start, 0), end), after: lines.slice(end), comments };
}

function isSave({ kind }: OutlineLine): boolean {
  return kind === "save";
}

/**
 * Reports scripts that are not after the body.
 *
 * @returns Whether there are any.
 */
function reportMistakes(parser: Parser, { body, after }: SplitLines): boolean {
  const script =
    body.find(({ kind }) => kind === "script") ??
    after.find(({ text }) => startsRequestScript(text));
  if (script === undefined) return false;
  const hint = 'Remove it, or put a line "###" before it if it belongs to the next request';
  const first = trimLine(lineAt(parser.source, script.start));
  parser.report(first, "Scripts inside a request are not supported", hint);
  return true;
}

function isContent({ kind }: OutlineLine): boolean {
  return kind === "content";
}

function readContent(
  parser: Parser,
  lines: readonly OutlineLine[],
  comments: OmittedComments,
  type: string | undefined,
): BodyDraft | undefined {
  const [first, ...more] = lines.filter(({ kind }) => kind !== "blank" && kind !== "assertion");
  if (first === undefined) return undefined;
  const file = more.length === 0 ? readFileLine(parser, first) : undefined;
  if (file !== undefined) return file;
  const last = more.at(-1) ?? first;
  const end = trimLine(last).end;
  // Only blank lines are left out at the end.
  const blanks = /[^\S\r\n]*/y;
  blanks.lastIndex = end;
  const span = { start: first.start, end: end + (blanks.exec(parser.source)?.[0].length ?? 0) };
  const omitted = lines.flatMap(({ kind, start, next }) =>
    kind === "assertion" && start > span.start && next <= span.end ? [{ start, end: next }] : [],
  );
  const body = readBodyText(parser, { span, omitted }, comments, type);
  return body && { ...body, ...(omitted.length === 0 ? {} : { omitted }) };
}

/** `< path`, `<@ path` and `<@encoding path`. */
const FILE = /^<(?:(@)([\w-]*))?[ \t]+(?=\S)/;

function readFileLine(parser: Parser, line: OutlineLine): BodyDraft | undefined {
  const span = trimLine(line);
  const file = FILE.exec(parser.source.slice(span.start, span.end));
  if (file === null) return undefined;
  const [mark, at, encoding] = file;
  const path = parser.template({ start: span.start + mark.length, end: span.end });
  const named = encoding === undefined || encoding === "" ? {} : { encoding };
  return { kind: "file", path, interpolated: at !== undefined, ...named, span };
}

/** Reads a line `>> path` or `>>! path`, as in JetBrains' client. */
function readSaveLine(parser: Parser, line: OutlineLine): SaveDraft {
  const { start, end } = trimLine(line);
  const [mark, sign] = /^>>(!?)[ \t]+/.exec(parser.source.slice(start, end)) ?? [">>"];
  const path = parser.template({ start: start + mark.length, end });
  return { path, replace: sign === "!" };
}

/**
 * Parses a body of text. If it may be JSON, which a Content-Type without a value yet decides, the draft also has the
 * text without its comments.
 *
 * @param left Which comment lines are left out of the body.
 * @param type The written Content-Type, unless placeholders decide about it.
 */
function readBodyText(
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

/** A line that is a header after a blank line, unless the type of the body says otherwise. */
const HEADER =
  /^[ \t]*(?:Accept|Authorization|Content|Cookie|Host|User-Agent|X)(?:-[\w-]+)?:[ \t]/i;

/**
 * Remarks on lines that are sent, but were probably not meant as a part of the body. A second request line explains
 * all that follows it.
 *
 * @param type The written Content-Type, unless placeholders decide about it.
 */
function remarkOnBody(
  parser: Parser,
  body: readonly OutlineLine[],
  comments: OmittedComments,
  type: string | undefined,
): void {
  const remark = (line: OutlineLine | undefined, what: string, hint: string): void => {
    if (line === undefined) return;
    const message = `${what} is sent as a part of the body: "${shorten(line.text.trim())}"`;
    parser.remark("body", trimLine(line), message, hint);
  };
  const request = embedsRequests(type) ? undefined : secondRequest(body);
  remark(request, "A second request line", 'Put a line "###" before it');
  if (request !== undefined) return;
  const [first] = body;
  const header = type === undefined && HEADER.test(first?.text ?? "") ? first : undefined;
  remark(header, "A header", "Put it above the blank line");
  const variable = body.find(({ text }) => startsVariableLine(text));
  remark(variable, "A variable line", "Put it above the request or after its body");
  const comment = commentInBody(body, comments);
  remark(comment, "A line like a comment", 'Remove it, or put a line "###" before it');
}

function secondRequest(body: readonly OutlineLine[]): OutlineLine | undefined {
  return body.find(
    ({ kind, text }, index) =>
      kind === "content" && body[index - 1]?.kind !== "content" && isSecondRequestLine(text),
  );
}

/** A comment line that most clients leave out and that does not clearly belong to the body. */
function commentInBody(
  body: readonly OutlineLine[],
  comments: OmittedComments,
): OutlineLine | undefined {
  // In a part, they are left out above its content, and may be lines of a script in it.
  if (comments === "all" || comments === "parts" || comments === "later") return undefined;
  if (comments === "around") {
    return startsQuery(body[0]?.text ?? "") ? undefined : body.find(isComment);
  }
  // A last paragraph of nothing but comments.
  const start = body.findLastIndex(({ kind }) => kind === "content") + 1;
  const rest = body.slice(start);
  return start > 0 && rest[0]?.kind === "blank" ? rest.find(isComment) : undefined;
}

function isComment({ kind }: OutlineLine): boolean {
  return kind === "comment";
}
