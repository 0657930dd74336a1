import type { Span, Template } from "../../../interpolation/mod.ts";
import type { BodyDraft, SaveDraft } from "../../draft/mod.ts";
import {
  isSecondRequestLine,
  type Line,
  lineAt,
  type Parser,
  remarkNextRequest,
  startsRequestScript,
  trimLine,
} from "../lines/mod.ts";
import { type BodyLine, readBodyLines } from "./body-lines.ts";
import { readBodyText } from "./body-text.ts";
import { literalType, type OmittedComments, omittedComments } from "./comments.ts";
import { embedsRequests, remarkOnBody } from "./remarks.ts";

/** A body, if there is one, and what follows it. */
export interface ParsedBody {
  readonly body?: BodyDraft;
  /** Where the body of the response is saved. */
  readonly saveTo?: SaveDraft;
  /** The lines of assertions. */
  readonly assertions: readonly Span[];
  /** Scripts after the body. */
  readonly scripts: readonly Span[];
  /** Lines `@name = value` after the body. */
  readonly variables: readonly Line[];
  /** The start of the next separator or request, or the end of the text. */
  readonly next: number;
}

/** The parts of a request above its body that decide how the body is read. */
interface BodyPlace {
  /** The start of the line after the blank line. */
  readonly start: number;
  /** The indentation of the request line, which a separator does not exceed. */
  readonly indent: number;
  readonly method: string;
  /** The written Content-Type, if there is one. */
  readonly contentType: Template | undefined;
}

/** Parses the text between the headers and the next separator. */
export function readBody(parser: Parser, place: BodyPlace): ParsedBody {
  const type = literalType(place.contentType);
  const { lines, next } = readLines(parser, place, type);
  const split = splitLines(lines, place);
  const { after, comments } = split;
  const body = reportMistakes(parser, split) ? [] : split.body;
  remarkOnBody(parser, body, comments, type);
  const text = readContent(parser, body, comments, type);
  const inBody = body.filter(({ kind }) => kind === "assertion");
  const ofKinds = (...kinds: readonly BodyLine["kind"][]): readonly BodyLine[] =>
    after.filter(({ kind }) => kinds.includes(kind));
  const saveLine = after.find(({ kind }) => kind === "save");
  return {
    ...(text === undefined ? {} : { body: text }),
    ...(saveLine === undefined ? {} : { saveTo: readSaveLine(parser, saveLine) }),
    assertions: [...inBody, ...ofKinds("assertion", "question")].map(trimLine),
    scripts: ofKinds("script", "handler").map(trimLine),
    variables: after.filter(({ kind }) => kind === "variable"),
    next,
  };
}

/**
 * Reads the lines up to the next separator, or to a request without one, as httpYac has them: its line is where the
 * body of a GET would begin, after a script, or after a blank line in JSON or a form. Elsewhere such a line may belong
 * to the body.
 */
function readLines(
  parser: Parser,
  { start, indent, method, contentType }: BodyPlace,
  type: string | undefined,
): { readonly lines: readonly BodyLine[]; readonly next: number } {
  const block = parser.blockAt(start, indent);
  const lines: BodyLine[] = [];
  let isData: boolean | undefined;
  let isBeforeRequest = hasUsuallyNoBody(method) && !embedsRequests(type);
  for (const line of readBodyLines(parser.source, start, block)) {
    if (line.kind === "script" || line.kind === "handler") isBeforeRequest = true;
    if (line.kind === "content") {
      isBeforeRequest ||= isData === true && lines.at(-1)?.kind !== "content";
      if (isBeforeRequest && isSecondRequestLine(line.text)) {
        remarkNextRequest(parser, line);
        const own = lines.findLastIndex(({ kind }) => !BEFORE_REQUEST.has(kind)) + 1;
        return { lines: lines.slice(0, own), next: lines[own]?.start ?? line.start };
      }
      isBeforeRequest = false;
      isData ??= omittedComments(method, contentType, [line]) === "all";
    }
    lines.push(line);
  }
  return { lines, next: block.end };
}

/** What may stand above a request line and belongs to it. */
const BEFORE_REQUEST: ReadonlySet<BodyLine["kind"]> = new Set(["blank", "comment", "variable"]);

interface SplitLines {
  /** From the first to the last line that is content, comments and assertions between them included. */
  readonly body: readonly BodyLine[];
  readonly after: readonly BodyLine[];
  /** Which comment lines of the body are left out. */
  readonly comments: OmittedComments;
}

function splitLines(lines: readonly BodyLine[], { method, contentType }: BodyPlace): SplitLines {
  const comments = omittedComments(method, contentType, lines.filter(isContent));
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
  const isFirst = ({ kind }: BodyLine): boolean =>
    kind !== "blank" && (kind !== "comment" || mayBelong);
  const start = lines.findIndex(isFirst);
  return { body: lines.slice(Math.max(start, 0), end), after: lines.slice(end), comments };
}

function isSave({ kind }: BodyLine): boolean {
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

function isContent({ kind }: BodyLine): boolean {
  return kind === "content";
}

function hasUsuallyNoBody(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function readContent(
  parser: Parser,
  lines: readonly BodyLine[],
  comments: OmittedComments,
  type: string | undefined,
): BodyDraft | undefined {
  const [first, ...more] = lines.filter(({ kind }) => kind !== "blank" && kind !== "assertion");
  if (first === undefined) return undefined;
  const file = more.length === 0 ? readFileLine(parser, first) : undefined;
  if (file !== undefined) return file;
  const span = { start: first.start, end: trimLine(more.at(-1) ?? first).end };
  const omitted = lines.flatMap(({ kind, start, next }) =>
    kind === "assertion" && start > span.start && next <= span.end ? [{ start, end: next }] : [],
  );
  const body = readBodyText(parser, { span, omitted }, comments, type);
  return body && { ...body, ...(omitted.length === 0 ? {} : { omitted }) };
}

/** `< path`, `<@ path` and `<@encoding path`. */
const FILE = /^<(?:(@)([\w-]*))?[ \t]+(?=\S)/;

function readFileLine(parser: Parser, line: BodyLine): BodyDraft | undefined {
  const span = trimLine(line);
  const file = FILE.exec(parser.source.slice(span.start, span.end));
  if (file === null) return undefined;
  const [mark, at, encoding] = file;
  const path = parser.template({ start: span.start + mark.length, end: span.end });
  const named = encoding === undefined || encoding === "" ? {} : { encoding };
  return { kind: "file", path, interpolated: at !== undefined, ...named, span };
}

/** Reads a line `>> path` or `>>! path`, as in JetBrains' client. */
function readSaveLine(parser: Parser, line: BodyLine): SaveDraft {
  const { start, end } = trimLine(line);
  const [mark, sign] = /^>>(!?)[ \t]+/.exec(parser.source.slice(start, end)) ?? [">>"];
  const path = parser.template({ start: start + mark.length, end });
  return { path, replace: sign === "!" };
}
