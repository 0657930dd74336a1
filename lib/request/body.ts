import type { BodyDraft } from "./draft.ts";
import { classifyLine, lineAt } from "./line.ts";
import type { Reading } from "./reading.ts";
import { isPlainRequestLine } from "./request-line.ts";

/** A body, if there is one, and where the separator behind it, or the end of the text, stands. */
export interface BodyReading {
  readonly body: BodyDraft | undefined;
  readonly next: number;
}

/** `< path`, `<@ path` and `<@encoding path`. */
const FILE = /^<(?:(@)([\w-]*))?[ \t]+(?=\S)/;

/**
 * Reads what stands between the headers and the next separator.
 *
 * @param start Where the line behind the blank line begins.
 * @param indent The indentation of the request line; a separator stands no further in.
 * @param method GET and HEAD have no body: what looks like one there is explained.
 */
export function readBody(
  reading: Reading,
  start: number,
  indent: number,
  method: string,
): BodyReading {
  const { source } = reading;
  const next = findSeparator(source, start, indent);
  const whole = source.slice(start, next);
  const end = start + whole.trimEnd().length;
  if (end === start) return { body: undefined, next };
  if ((method === "GET" || method === "HEAD") && isAside(reading, start, end, method)) {
    return { body: undefined, next };
  }
  const content = start + whole.length - whole.trimStart().length;
  const file = FILE.exec(source.slice(content, end));
  if (file !== null && !/[\r\n]/.test(source.slice(content, end))) {
    const [mark, at, encoding] = file;
    const path = reading.template({ start: content + mark.length, end });
    const named = encoding === undefined || encoding === "" ? {} : { encoding };
    const span = { start: content, end };
    return { body: { kind: "file", path, interpolated: at !== undefined, ...named, span }, next };
  }
  const span = { start: lineStart(source, content, start), end };
  return { body: { kind: "text", text: reading.template(span), span }, next };
}

/** Where the line begins whose first characters are `###`, from `from` on. */
function findSeparator(source: string, from: number, indent: number): number {
  let hit = source.indexOf("###", from);
  while (hit !== -1) {
    const start = lineStart(source, hit, from);
    if (hit - start <= indent && source.slice(start, hit).trim() === "") return start;
    hit = source.indexOf("###", lineAt(source, hit).next);
  }
  return source.length;
}

/** Where the line of an offset begins, `from` at the least. */
function lineStart(source: string, offset: number, from: number): number {
  let start = offset;
  while (start > from && source[start - 1] !== "\n" && source[start - 1] !== "\r") start--;
  return start;
}

/** Behind a GET, comments alone are no body, and a request line is a second request. */
function isAside(reading: Reading, start: number, end: number, method: string): boolean {
  let line = lineAt(reading.source, start);
  for (; line.start < end; line = lineAt(reading.source, line.next)) {
    const kind = classifyLine(line.text);
    if (kind === "blank" || kind === "comment" || kind === "annotation") continue;
    if (!isPlainRequestLine(line.text)) return false;
    const hint = 'Put a line "###" between two requests';
    const span = { start: line.start, end: line.end };
    reading.report(span, `A second request line stands where the body of a ${method} would`, hint);
    return true;
  }
  return true;
}
