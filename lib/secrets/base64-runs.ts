import type { Stretch } from "./positions.ts";
import type { Unescaped } from "./unescape.ts";

/** What four bytes are in base64: no secret is shorter, and base64 of base64 is longer. */
const SHORTEST_RUN = 6;
/** Mails have 76 characters in a line, keys 64; lines of prose have blanks in them. */
const SHORTEST_LINE = 40;
const GAP = String.raw`(?:\r?\n|(?:\\{1,15}r)?\\{1,15}n)[ \t]{0,20}`;
const GAP_HERE = new RegExp(GAP, "y");
const GAPS = new RegExp(GAP, "g");

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NONE = 64;
/** What each sign stands for, of both alphabets (RFC 4648), by the code of the character. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code).replace("-", "+").replace("_", "/");
  const value = ALPHABET.indexOf(sign);
  return value < 0 ? NONE : value;
});
/** The values of capitals are below, those of letters and digits below this one. */
const CAPITALS = 26;
const SPECIAL = 62;
const LINE_FEED = 0x0a;

/** Base64 in a text, and what it says. */
interface Run {
  /** Where what it says begins in the text of all runs. */
  readonly from: number;
  readonly start: number;
  /** Where each of its signs stands, where it has several lines. */
  readonly places: Int32Array | undefined;
}

/** A stretch of signs, blanks and line ends between them included. */
interface Found extends Stretch {
  readonly lines: number;
}

/**
 * Reads the stretches of a text that may be base64, each byte as one character, and a line for each.
 * What a secret itself looks like in base64 is found without that, wherever it stands; this finds what
 * is packed with something else: escaped before, in base64 once more, on several lines.
 */
export function readBase64(written: string): Unescaped | undefined {
  const found = findRuns(written);
  if (found.length === 0) return undefined;
  const bytes = new Uint8Array(found.reduce((sum, { start, end }) => sum + end - start, 0));
  const runs: Run[] = [];
  let length = 0;
  for (const { start, end, lines } of found) {
    runs.push({
      from: length,
      start,
      places: lines === 1 ? undefined : placesOf(written, start, end),
    });
    if (lines === 1) length = unpack(written, start, end, bytes, length);
    else {
      const signs = written.slice(start, end).replace(GAPS, "");
      length = unpack(signs, 0, signs.length, bytes, length);
    }
    bytes[length++] = LINE_FEED;
  }
  const text = toText(bytes.subarray(0, length));
  return { text, toWritten: (from, to) => stretchOf(runs, from, to) };
}

/**
 * Looks for them. By hand, since a regular expression keeps a way back for each sign, and fails where
 * there are some millions.
 */
function findRuns(text: string): readonly Found[] {
  const runs: Found[] = [];
  for (let at = 0; at < text.length; ) {
    // Signs beside letters and digits do not begin a run.
    if ((VALUES[text.charCodeAt(at)] ?? NONE) >= SPECIAL) {
      at += 1;
      continue;
    }
    const start = at;
    at = endOfSigns(text, at);
    if (at - start < SHORTEST_RUN) continue;
    let lines = 1;
    // A line that is not the last of a run is long.
    for (let line = start; at - line >= SHORTEST_LINE; ) {
      GAP_HERE.lastIndex = at;
      line = GAP_HERE.test(text) ? GAP_HERE.lastIndex : text.length;
      const end = endOfSigns(text, line);
      if (end === line) break;
      at = end;
      lines += 1;
    }
    // Words and hexadecimal numbers get by without capitals, texts in base64 do not.
    if (hasCapital(text, start, at)) runs.push({ start, end: at, lines });
  }
  return runs;
}

function endOfSigns(text: string, start: number): number {
  let end = start;
  while ((VALUES[text.charCodeAt(end)] ?? NONE) < NONE) end += 1;
  return end;
}

function stretchOf(runs: readonly Run[], start: number, end: number): Stretch {
  let low = 0;
  for (let high = runs.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as Run).from <= start) low = middle;
    else high = middle;
  }
  const { from, start: begin, places } = runs[low] as Run;
  const at = (sign: number): number => begin + (places === undefined ? sign : (places[sign] ?? 0));
  // Three bytes are four signs.
  return {
    start: at(Math.floor(((start - from) * 4) / 3)),
    end: at(Math.ceil(((end - from) * 4) / 3) - 1) + 1,
  };
}

function hasCapital(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if ((VALUES[text.charCodeAt(at)] ?? NONE) < CAPITALS) return true;
  }
  return false;
}

/**
 * By hand, since `atob` of Node 20 takes ten times as long. Bits that are left at the end are none.
 *
 * @returns Where the bytes end.
 */
function unpack(
  signs: string,
  start: number,
  end: number,
  bytes: Uint8Array,
  from: number,
): number {
  let to = from;
  let bits = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    bits = (bits << 6) | (VALUES[signs.charCodeAt(at)] ?? 0);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[to++] = bits >> count;
    bits &= (1 << count) - 1;
  }
  return to;
}

/** Each byte as one character, which no decoder of the runtimes does. */
function toText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += 8192) {
    // Spread, it takes five times as long.
    parts.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from, from + 8192)));
  }
  return parts.join("");
}

function placesOf(text: string, start: number, end: number): Int32Array {
  const run = text.slice(start, end);
  const places = new Int32Array(run.length);
  let count = 0;
  let from = 0;
  for (const gap of run.matchAll(GAPS)) {
    for (let at = from; at < gap.index; at++) places[count++] = at;
    from = gap.index + gap[0].length;
  }
  for (let at = from; at < run.length; at++) places[count++] = at;
  return places;
}
