import { type Reading, readFurther, replaceIn } from "./reading.ts";

/** What four bytes are in base64: no secret is shorter, and base64 of base64 is longer. */
const SHORTEST_RUN = 6;
/** Mails have 76 characters in a line, keys 64; lines of prose have blanks in them. */
const LINE_END = /\r?\n[ \t]{0,20}(?=[\w+/-])/g;
const LONG_LINE = /[\w+/-]{40}$/;

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

/** Base64 in a text, and where what it says begins in the text of all runs. */
interface Run {
  readonly start: number;
  readonly end: number;
  from: number;
}

/**
 * Reads the stretches of a text that may be base64, each byte as one character, and a line for each.
 * What a secret itself looks like in base64 is found without that, wherever it stands; this finds what
 * is packed with something else: escaped before, in base64 once more, on several lines.
 */
export function readBase64(written: string): Reading | undefined {
  const joined = replaceIn(written, LINE_END, ({ index = 0 }) =>
    LONG_LINE.test(written.slice(Math.max(0, index - 40), index)) ? "" : undefined,
  );
  const text = joined?.text ?? written;
  const runs = runsOf(text);
  if (runs.length === 0) return undefined;
  const bytes = new Uint8Array(runs.reduce((sum, { start, end }) => sum + end - start, 0));
  let length = 0;
  for (const run of runs) {
    run.from = length;
    length = unpack(text, run, bytes);
    bytes[length++] = LINE_FEED;
  }
  const reading: Reading = {
    text: toText(bytes.subarray(0, length)),
    toWritten: (start, end) => {
      const run = runAt(runs, start);
      // Three bytes are four signs.
      return {
        start: run.start + Math.floor(((start - run.from) * 4) / 3),
        end: run.start + Math.ceil(((end - run.from) * 4) / 3),
      };
    },
  };
  return joined === undefined ? reading : readFurther(joined, reading);
}

/**
 * By hand, since a regular expression keeps a way back for each sign, and fails where there are some
 * millions.
 */
function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < text.length; at++) {
    // Signs beside letters and digits do not begin a run.
    if ((VALUES[text.charCodeAt(at)] ?? NONE) >= SPECIAL) continue;
    const start = at;
    let hasCapital = false;
    for (; ; at++) {
      const value = VALUES[text.charCodeAt(at)] ?? NONE;
      if (value === NONE) break;
      if (value < CAPITALS) hasCapital = true;
    }
    // Words and hexadecimal numbers get by without capitals, texts in base64 do not.
    if (hasCapital && at - start >= SHORTEST_RUN) runs.push({ start, end: at, from: 0 });
  }
  return runs;
}

/** The run whose bytes a place in the text of all runs belongs to. */
function runAt(runs: readonly Run[], at: number): Run {
  let low = 0;
  for (let high = runs.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as Run).from <= at) low = middle;
    else high = middle;
  }
  return runs[low] as Run;
}

/**
 * By hand, since `atob` of Node 20 takes ten times as long. Bits that are left at the end are none.
 *
 * @returns Where the bytes end.
 */
function unpack(text: string, { start, end, from }: Run, bytes: Uint8Array): number {
  let to = from;
  let bits = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    bits = (bits << 6) | (VALUES[text.charCodeAt(at)] ?? 0);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[to++] = bits >> count;
    bits &= (1 << count) - 1;
  }
  return to;
}

/** Each byte as one character, which no decoder of the runtimes does. */
export function toText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += 8192) {
    // Spread, it takes five times as long.
    parts.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from, from + 8192)));
  }
  return parts.join("");
}
