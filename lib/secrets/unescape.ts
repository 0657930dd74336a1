import type { Stretch } from "./positions.ts";

/** A text whose escapes are read, and where its parts stand in the text as it is written. */
export interface Unescaped {
  readonly text: string;
  /** The stretch of the written text that became this one; an escape belongs to it as a whole. */
  toWritten(start: number, end: number): Stretch;
}

const NEXT_BYTE = String.raw`%(?:25)?[89ab][\da-f]`;
const SEQUENCE = String.raw`%(?:25)?(?:[cd][\da-f]${NEXT_BYTE}|e[\da-f](?:${NEXT_BYTE}){2}|f[0-7](?:${NEXT_BYTE}){3})`;
// JSON's escapes, character references and percent-encoded bytes, once or twice: any character may be
// written so, and which ones is up to whoever writes. All other forms are searched for as they are.
const ESCAPE = new RegExp(
  String.raw`(?:(?<!\\)\\\\|\\)u([\da-f]{4})|&(?:amp;)?#(?:x0{0,4}([\da-f]{1,6})|0{0,4}(\d{1,7}));|(${SEQUENCE})|%(?:25)?([0-7][\da-f])`,
  "gi",
);
const MAY_ESCAPE = /\\u[\da-f]{4}|&(?:amp;)?#|%[\da-f]{2}/i;
const LONGEST_PARTIAL = 40;
const PARTIAL = new RegExp(
  String.raw`(?:\\{1,2}(?:u[\da-f]{0,3})?|&(?:a|am|amp|amp;)?(?:#x?[\da-f]{0,10})?|(?:%(?:25)?[c-f][\da-f](?:${NEXT_BYTE}){0,2})?%(?:2|25|25[\da-f]|[\da-f])?|%(?:25)?[c-f][\da-f](?:${NEXT_BYTE}){0,2})$`,
  "i",
);

/** Reads the escapes of a text, in one pass; nothing where it has none. */
export function unescapeText(written: string): Unescaped | undefined {
  if (!MAY_ESCAPE.test(written)) return undefined;
  const parts: string[] = [];
  // Of each escape: where its characters begin and end, and where it does.
  const places: number[] = [];
  let length = 0;
  let from = 0;
  for (const match of written.matchAll(ESCAPE)) {
    const read = readEscape(match);
    if (read === undefined) continue;
    const before = written.slice(from, match.index);
    from = match.index + match[0].length;
    parts.push(before, read);
    length += before.length;
    places.push(length, length + read.length, match.index, from);
    length += read.length;
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

/** Where an escape may have begun that the next piece of a stream goes on with. */
export function openEscape(text: string): number {
  return text.length - (PARTIAL.exec(text.slice(-LONGEST_PARTIAL))?.[0].length ?? 0);
}

function readEscape([, unit, hex, decimal, bytes, byte]: RegExpMatchArray): string | undefined {
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  if (bytes === undefined) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
  }
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
