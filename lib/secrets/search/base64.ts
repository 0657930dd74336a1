import { type Reading, readFurther, replaceIn } from "./reading.ts";

/** Four bytes in base64: no secret is shorter. */
const SHORTEST_RUN = 6;
/** Lines of a mail have 76 characters, those of a key 64; lines of prose contain blanks. */
const LINE_END = /\r?\n[ \t]{0,20}(?=[\w+/-])/g;
const LONG_LINE = /[\w+/-]{40}$/;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NONE = 64;
/** The values of the characters of both alphabets (RFC 4648), by their codes. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code).replace("-", "+").replace("_", "/");
  const value = ALPHABET.indexOf(sign);
  return value < 0 ? NONE : value;
});
/** Values of capitals are below `CAPITALS`, those of letters and digits below `SPECIAL`. */
const CAPITALS = 26;
const SPECIAL = 62;
const LINE_FEED = 0x0a;

/** Base64 in a text, and where its content begins in the contents of all runs. */
interface Run {
  readonly start: number;
  readonly end: number;
  from: number;
}

/**
 * Decodes the runs of a text that may be base64, each byte as one character, one line for each run. The
 * base64 of a secret itself is a pattern; this finds a secret that was escaped, encoded twice or
 * wrapped over lines.
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
 * By hand: a regular expression remembers each character for backtracking, and fails after some
 * millions.
 */
function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < text.length; at++) {
    // A run begins with a letter or a digit.
    if ((VALUES[text.charCodeAt(at)] ?? NONE) >= SPECIAL) continue;
    const start = at;
    let hasCapital = false;
    for (; ; at++) {
      const value = VALUES[text.charCodeAt(at)] ?? NONE;
      if (value === NONE) break;
      if (value < CAPITALS) hasCapital = true;
    }
    // Words and hexadecimal numbers often have no capitals, base64 has.
    if (hasCapital && at - start >= SHORTEST_RUN) runs.push({ start, end: at, from: 0 });
  }
  return runs;
}

/** The run that a place in the decoded text belongs to. */
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
 * By hand, since `atob` of Node 20 takes ten times as long. Bits left over at the end are dropped.
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

/** Each byte as one character; no decoder of the runtimes does that for all bytes. */
export function toText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += 8192) {
    // Spreading takes five times as long.
    parts.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from, from + 8192)));
  }
  return parts.join("");
}
