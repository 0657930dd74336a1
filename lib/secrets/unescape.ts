import { readReference } from "./character-references.ts";
import type { Stretch } from "./positions.ts";

/** A text whose escapes are read, and where its parts stand in the text as it is written. */
export interface Unescaped {
  readonly text: string;
  /** The stretch of the written text that became this one; an escape belongs to it as a whole. */
  toWritten(start: number, end: number): Stretch;
}

/** What a match is read as; `undefined` leaves it as it is written. */
type Read = (match: RegExpMatchArray) => string | undefined;

const NEXT_BYTE = String.raw`%(?:25)?[89ab][\da-f]`;
const SEQUENCE = String.raw`%(?:25)?(?:[cd][\da-f]${NEXT_BYTE}|e[\da-f](?:${NEXT_BYTE}){2}|f[0-7](?:${NEXT_BYTE}){3})`;
const REFERENCE = String.raw`&(?:amp;){0,3}(?:#x0{0,4}([\da-f]{1,6});?|#0{0,4}(\d{1,7});?|(amp|lt|gt|quot|apos);)`;
// JSON's escapes, character references and percent-encoded bytes, once or more often: any character
// may be written so, and which ones is up to whoever writes.
const ESCAPE = new RegExp(
  String.raw`\\{1,15}(?:u([\da-f]{4})|u\{0{0,4}([\da-f]{1,6})\}|x([\da-f]{2}))|${REFERENCE}|(${SEQUENCE})|%(?:25)?([0-7][\da-f])`,
  "gi",
);
const MAY_ESCAPE =
  /\\(?:u[\da-f]{4}|u\{[\da-f]|x[\da-f]{2})|&(?:amp;)?(?:#|amp;|lt;|gt;|quot;|apos;)|%[\da-f]{2}/i;
// Texts of programs in texts of programs have a backslash before each quote and each backslash, twice
// as many at each level, and CSV and YAML double their quotes. Left out, all levels look the same.
// Not without a bound: a regular expression keeps a way back for each turn, and fails at some millions.
const QUOTING = /"(?:\\*"){1,1000}|'(?:\\*'){1,1000}|\\+/g;
const LONGEST_PARTIAL = 40;
const MAY_BEGIN = /[\\&%][^\s]{0,39}$/;
const PARTIAL = new RegExp(
  String.raw`(?:\\{1,15}(?:u[\da-f]{0,3}|u\{[\da-f]{0,10}|x[\da-f]?)?|&(?:amp;?){0,3}(?:#x?[\da-f]{0,10}|[a-z]{0,4})|(?:%(?:25)?[c-f][\da-f](?:${NEXT_BYTE}){0,2})?%(?:2|25|25[\da-f]|[\da-f])?|%(?:25)?[c-f][\da-f](?:${NEXT_BYTE}){0,2})$`,
  "i",
);

/**
 * Reads the escapes of a text, and leaves out what quotes its quotes; nothing where it has neither.
 * Secrets are looked for in it as {@link unescaped} writes them.
 */
export function unescapeText(written: string): Unescaped | undefined {
  const read = mayEscape(written) ? readAll(written, ESCAPE, readEscape) : undefined;
  const quoted = read?.text ?? written;
  const plain = mayQuote(quoted)
    ? readAll(quoted, QUOTING, ([mark]) => single(mark ?? ""))
    : undefined;
  if (read === undefined || plain === undefined) return plain ?? read;
  return {
    text: plain.text,
    toWritten: (start, end) => {
      const inside = plain.toWritten(start, end);
      return read.toWritten(inside.start, inside.end);
    },
  };
}

// A single character is looked for at a fraction of what a pattern costs, and most texts have none.
function mayEscape(text: string): boolean {
  return [...MARKS].some((mark) => text.includes(mark)) && MAY_ESCAPE.test(text);
}

const MARKS = "\\&%";

function mayQuote(text: string): boolean {
  return text.includes("\\") || text.includes('""') || text.includes("''");
}

/** A text without its escapes. */
export function unescaped(text: string): string {
  return unescapeText(text)?.text ?? text;
}

/** A text without what quotes its quotes. */
export function unquoted(text: string): string {
  return text.replace(QUOTING, single);
}

/** Where an escape may have begun that the next piece of a stream goes on with. */
export function openEscape(text: string): number {
  const end = text.slice(-LONGEST_PARTIAL);
  return text.length - (MAY_BEGIN.test(end) ? (PARTIAL.exec(end)?.[0].length ?? 0) : 0);
}

function readAll(written: string, pattern: RegExp, read: Read): Unescaped | undefined {
  const parts: string[] = [];
  // Of each escape: where its characters begin and end, and where it does.
  const places: number[] = [];
  let length = 0;
  let from = 0;
  for (const match of written.matchAll(pattern)) {
    const characters = read(match);
    if (characters === undefined) continue;
    const before = written.slice(from, match.index);
    from = (match.index ?? 0) + match[0].length;
    parts.push(before, characters);
    length += before.length;
    places.push(length, length + characters.length, match.index ?? 0, from);
    length += characters.length;
  }
  if (places.length === 0) return undefined;
  parts.push(written.slice(from));
  return {
    text: parts.join(""),
    toWritten: (start, end) => ({
      start: writtenAt(places, start, "start"),
      end: writtenAt(places, end, "end"),
    }),
  };
}

function single(mark: string): string {
  return mark.startsWith("\\") ? "" : mark.slice(0, 1);
}

function readEscape(match: RegExpMatchArray): string | undefined {
  const [, unit, point, code, hex, decimal, name, bytes, byte] = match;
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  if (point !== undefined) return readReference(point, undefined, undefined);
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  if (bytes === undefined) return readReference(hex, decimal, name);
  try {
    return decodeURIComponent(bytes.replaceAll("%25", "%"));
  } catch {
    // Bytes that are no text stand for none.
    return undefined;
  }
}

/** The place in the written text: of an escape its beginning or its end, by which side is asked for. */
function writtenAt(places: readonly number[], at: number, side: "start" | "end"): number {
  let low = 0;
  let high = places.length / 4;
  // The number of escapes that begin before this place, or at it where a stretch begins.
  while (low < high) {
    const middle = (low + high) >> 1;
    const begin = places[middle * 4] ?? 0;
    if (side === "start" ? begin <= at : begin < at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return at;
  const [, end = 0, writtenBegin = 0, writtenEnd = 0] = places.slice(low * 4 - 4, low * 4);
  if (at < end || (side === "end" && at === end))
    return side === "start" ? writtenBegin : writtenEnd;
  return writtenEnd + (at - end);
}
