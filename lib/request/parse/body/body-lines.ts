import {
  afterComment,
  type Block,
  classifyLine,
  type Line,
  lineAt,
  scriptAt,
  startsAssertion,
  startsHandler,
  startsScript,
  startsVariableLine,
} from "../lines/mod.ts";

/**
 * The kinds of lines between the headers of a request and the next separator. Scripts, assertions and kept responses
 * never belong to a body; variable lines, `> handler.js`, `>> file` and `<> response` belong to it unless they stand
 * after it.
 */
type BodyLineKind =
  | "content"
  | "blank"
  | "comment"
  | "variable"
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
  if (ASSERTION.test(text)) return to("assertion");
  if (startsAssertion(text)) return to("question");
  if (startsHandler(text)) return to("handler");
  if (SAVE.test(text)) return to("save");
  if (REFERENCE.test(text)) return to("reference");
  // Directly below a line of the body, these belong to it.
  if (rest.previous === "content") return to("content");
  if (startsVariableLine(text)) return to("variable");
  if (STATUS_LINE.test(text) && isResponse(source, line, end)) return to("response", end, end);
  const closed = start < rest.lastClosing ? afterComment(source, line) : undefined;
  if (closed === undefined || closed > end) return to("content");
  const close = source.indexOf("*/", source.indexOf("/*", start) + 2);
  // What follows it on its last line belongs to the body.
  const isAlone = source.slice(close + 2, closed).trim() === "";
  return isAlone ? to("comment", closed, closed) : to("content");
}

/** Whether a header, or nothing, follows a status line. */
function isResponse(source: string, { next }: Line, end: number): boolean {
  const below = next < end ? lineAt(source, next).text : "";
  return below.trim() === "" || /^[\w-]+[ \t]*:/.test(below);
}
