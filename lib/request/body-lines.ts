import type { Span } from "../interpolation/mod.ts";
import { beginsAsJson, isFormType, isJsonType } from "./header-line.ts";
import {
  afterComment,
  type Block,
  classifyLine,
  type Line,
  lineAt,
  startsVariableLine,
} from "./line.ts";
import { assertionEnd, scriptAt, startsAssertion, startsHandler, startsScript } from "./scripts.ts";

/**
 * The kinds of lines between the headers of a request and the next separator. Scripts, assertions and kept responses
 * never belong to a body; variable lines, `> handler.js`, `>> file` and `<> response` belong to it unless they stand
 * after it.
 */
export type BodyLineKind =
  | "content"
  | "blank"
  | "comment"
  | "assignment"
  | "script"
  | "assertion"
  | "question"
  | "handler"
  | "save"
  | "reference"
  | "response";

/** A line, or the lines of a script, a block comment or a kept response. */
export interface BodyLine extends Line {
  readonly kind: BodyLineKind;
}

/** An assertion, recognized by its first word; any other line with `??` is one only after the body. */
const ASSERTION =
  /^[ \t]*(?:\?\?[ \t]*(?:status|body|header|duration|js|xpath|jsonpath|schema|md5|sha\d+|test|string)\b|HTTP[ \t]+(?:\d{3}|\*)[ \t]*$)/i;

const STATUS_LINE = /^HTTP\/\d(?:\.\d)?[ \t]+\d{3}(?:[ \t]|$)/;

const REFERENCE = /^[ \t]*<>[ \t]+\S/;
const SAVE = /^[ \t]*>>!?[ \t]+\S/;

/** Whether a line ends the headers without a blank line before it, since it is neither header nor body. */
export function endsHeaders(text: string): boolean {
  return startsHandler(text) || STATUS_LINE.test(text) || REFERENCE.test(text) || SAVE.test(text);
}

/** Lines that may be something else than content; text without such a line is read as one. */
const MARKED = /^[ \t]*(?:[#@?>]|<[ \t@>{]|\/[/*]|\{\{|--\{|HTTP\/|[A-Z-]+[ \t])/m;

/** Reads the lines of a block from `start` on. */
export function* readBodyLines(source: string, start: number, block: Block): Generator<BodyLine> {
  const { end } = block;
  const whole = source.slice(start, end);
  if (!MARKED.test(whole)) {
    yield* readUnmarked(whole, start, end);
    return;
  }
  let previous: BodyLineKind = "blank";
  for (let at = start; at < end; ) {
    const line = readBodyLine(source, lineAt(source, at), { ...block, previous });
    yield line;
    at = line.next;
    previous = line.kind;
  }
}

function readUnmarked(text: string, start: number, end: number): readonly BodyLine[] {
  const blank = /^(?:[^\S\r\n]*(?:\r\n?|\n))*/.exec(text)?.[0].length ?? 0;
  if (text.trim() === "") return [];
  return [{ kind: "content", start: start + blank, end, next: end, text: text.slice(blank) }];
}

interface Surroundings extends Block {
  readonly previous: BodyLineKind;
}

function readBodyLine(source: string, line: Line, { end, ...rest }: Surroundings): BodyLine {
  const { start, next, text } = line;
  const to = (kind: BodyLineKind, last = line.end, after = next): BodyLine => ({
    kind,
    start,
    end: last,
    next: after,
    text: last === line.end ? text : source.slice(start, last),
  });
  if (!MARKED.test(text)) return to(text.trim() === "" ? "blank" : "content");
  const kind = classifyLine(text);
  if (kind === "comment" || kind === "annotation") return to("comment");
  if (startsScript(text)) {
    const script = scriptAt(source, line, end);
    return to("script", script.end, script.next);
  }
  if (ASSERTION.test(text)) {
    const after = assertionEnd(source, line, end);
    return after === next ? to("assertion") : to("assertion", after, after);
  }
  if (startsAssertion(text)) return to("question");
  if (startsHandler(text)) return to("handler");
  if (SAVE.test(text)) return to("save");
  if (REFERENCE.test(text)) return to("reference");
  // Directly below a line of the body, these belong to it.
  if (rest.previous === "content") return to("content");
  if (startsVariableLine(text)) return to("assignment");
  if (STATUS_LINE.test(text) && isResponse(source, line, end)) return to("response", end, end);
  const closed = start < rest.lastClosing ? afterComment(source, line) : undefined;
  if (closed === undefined || closed > end) return to("content");
  const close = source.indexOf("*/", source.indexOf("/*", start) + 2);
  // What follows it on its last line belongs to the body.
  const isAlone = source.slice(close + 2, closed).trim() === "";
  return isAlone ? to("comment", closed, closed) : to("content");
}

/** Whether a header, a body of JSON or XML, or nothing follows a status line. */
function isResponse(source: string, { next }: Line, end: number): boolean {
  const below = next < end ? lineAt(source, next).text : "";
  return below.trim() === "" || /^(?:[\w-]+[ \t]*:|[{[<])/.test(below);
}

/**
 * Which comment lines are left out of a body:
 *
 * - `all`
 * - `around`: those before its first and after its last other line
 * - `parts`: those around it, and those in the headers of the parts of a multipart body
 * - `none`: the lines may belong to the body
 * - `later`: the Content-Type decides, which has no value yet
 *
 * Those around it are left out by the parser, and those inside it when it is rendered.
 */
export type OmittedComments = "all" | "around" | "parts" | "none" | "later";

/** Types in which no text follows the end of the document. */
const MARKUP = /^(?:[^;]*[/+]xml|text\/html)\s*(?:;|$)/i;
const MULTIPART = /^multipart\//i;
/** Methods whose requests rarely have a body. */
export const WITHOUT_BODY: RegExp = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/;
const FILE_LINE = /^[ \t]*<(?:@[\w-]*)?[ \t]+\S/;

/** The parts of a request above its body that decide how the body is read. */
export interface BodyPlace {
  /** The indentation of the request line, which a separator does not exceed. */
  readonly indent: number;
  readonly method: string;
  /** The written Content-Type, if there is one. */
  readonly type: WrittenType | undefined;
}

/** A Content-Type as it is written. */
interface WrittenType {
  /** `undefined` if placeholders decide about it. */
  readonly literal: string | undefined;
}

/** Decides about the comment lines of a body, whose first line that is certainly of it is the first of `content`. */
export function omittedComments(
  { method, type: contentType }: BodyPlace,
  content: readonly Pick<BodyLine, "text">[],
): OmittedComments {
  const first = content[0]?.text ?? "";
  const type = contentType?.literal;
  if (contentType === undefined || (type !== undefined && isJsonType(type))) {
    const isJson = contentType !== undefined || (beginsAsJson(first) && !/^\s*\{\{/.test(first));
    // A hash begins a comment in GraphQL, but also a line of a block string.
    return isJson && !startsQuery(first) ? "all" : "around";
  }
  if (type !== undefined && isFormType(type)) return "all";
  if (type !== undefined && MULTIPART.test(type)) return "parts";
  const isFile = content.length === 1 && FILE_LINE.test(first);
  if (isFile || WITHOUT_BODY.test(method)) return "around";
  if (type === undefined) return "later";
  return MARKUP.test(type) ? "around" : "none";
}

/** A Content-Type by the text of its header. */
export function writtenType(text: string | undefined): WrittenType | undefined {
  if (text === undefined) return undefined;
  const [first = ""] = text.split("{{", 1);
  return { literal: first === text || first.includes(";") ? first : undefined };
}

/** Whether bodies of a type contain HTTP messages. */
export function embedsRequests(type: string | undefined): boolean {
  return /^(?:multipart\/|message\/|application\/http\b)/i.test(type ?? "");
}

/** Whether any line may belong to a body, so that none in it begins another request. */
export function mayBeAnyText(place: BodyPlace, first: BodyLine): boolean {
  return (
    embedsRequests(place.type?.literal) || /^(?:none|later)$/.test(omittedComments(place, [first]))
  );
}

/** Whether a line begins a GraphQL query, in which `#` begins a comment. */
export function startsQuery(line: string): boolean {
  return /^[ \t]*(?:query|mutation|subscription|fragment)\b/.test(line);
}

/** Placeholders are skipped like strings. Their length is limited to keep the search linear. */
const TOKEN =
  /\{\{[^{}\r\n]{0,1000}\}\}|\\[\s\S]|"|\/\/[^\r\n]*|\/\*|#|[,}\]]|[{/\\]|[^\s"\\/#{},\]]+/g;
const STRING_TOKEN = /\{\{[^{}\r\n]{0,1000}\}\}|\\[\s\S]|"/g;

/**
 * Finds what has to go so that JSON with comments is JSON: lines that begin with `#`, `//` to the end of a line,
 * block comments, and a comma that only such comments separate from a closing bracket.
 *
 * @param omitted Lines that are not part of the text.
 * @returns The spans in order, by offsets in `source`.
 */
export function findJsonComments(
  source: string,
  { start, end }: Span,
  omitted: readonly Span[],
): readonly Span[] {
  const text = blankOut(source.slice(start, end), omitted, start);
  const found: Span[] = [];
  const add = (from: number, to: number): void =>
    void found.push({ start: start + from, end: start + to });
  /** The last comma, and how many comments were before it. */
  let comma: { readonly at: number; readonly comments: number } | undefined;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    const at = match.index;
    if (token.startsWith("//") && /\w:$/.test(text.slice(Math.max(at - 2, 0), at))) {
      // A URL outside of a string: the text is not JSON.
      TOKEN.lastIndex = at + 2;
    } else if (token.startsWith("//")) {
      add(at, at + token.length);
    } else if (token === "/*") {
      const close = text.indexOf("*/", at + 2);
      if (close === -1) break;
      TOKEN.lastIndex = close + 2;
      add(at, close + 2);
    } else if (token === "#" && beginsLine(text, at)) {
      const { end: lineEnd } = lineAt(text, at);
      TOKEN.lastIndex = lineEnd;
      add(at, lineEnd);
    } else {
      const closes = token === "}" || token === "]";
      if (closes && comma !== undefined && found.length > comma.comments) {
        const span = { start: start + comma.at, end: start + comma.at + 1 };
        found.splice(comma.comments, 0, span);
      }
      comma = token === "," ? { at, comments: found.length } : undefined;
      if (token === '"') TOKEN.lastIndex = endOfString(text, at + 1);
    }
  }
  return found;
}

/**
 * Replaces spans by spaces, so that offsets do not change.
 *
 * @param spans In the order of the text.
 * @param offset Where the text begins in the source of the spans.
 */
export function blankOut(text: string, spans: readonly Span[], offset: number): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    const [from, to] = [start - offset, end - offset];
    pieces.push(text.slice(at, from), toSpaces(text.slice(from, to)));
    at = to;
  }
  return pieces.join("") + text.slice(at);
}

/** Spaces and the line breaks of a text. */
export function toSpaces(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

function endOfString(text: string, from: number): number {
  STRING_TOKEN.lastIndex = from;
  for (let match = STRING_TOKEN.exec(text); match !== null; match = STRING_TOKEN.exec(text)) {
    if (match[0] === '"') return STRING_TOKEN.lastIndex;
  }
  return text.length;
}

function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  return before < 0 || text[before] === "\n" || text[before] === "\r";
}
