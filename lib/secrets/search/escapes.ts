import { asWritten, type Reading, readFurther, replaceIn } from "./reading.ts";

/** Three levels that programs write, and two for a secret that looks escaped itself. */
const LEVELS = 5;

const CONTROLS: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const REFERENCES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

// Escapes of JSON and JavaScript, character references, percent-encoded bytes, and the doubled quotes
// of CSV and YAML. Repetitions are bounded: a regular expression remembers each for backtracking.
const ESCAPE =
  /\\(?:u([\da-f]{4})|u\{0{0,4}([\da-f]{1,6})\}|x([\da-f]{2})|([\\/"'`bfnrt]))|&(?:#x0{0,4}([\da-f]{1,6});?|#0{0,4}(\d{1,7});?|(amp|lt|gt|quot|apos);)|%([\da-f]{2})|"{2,1000}|'{2,1000}/gi;
const MARKS = ["\\", "&", "%", '""', "''"];

/** An escape that the next piece of a stream may complete. */
const PARTIAL =
  /(?:\\(?:u(?:[\da-f]{0,3}|\{[\da-f]{0,10})|x[\da-f]?)?|&(?:#(?:x[\da-f]{0,10}|\d{0,11})|[a-z]{0,4})|%[\da-f]?)$/i;
const LONGEST_PARTIAL = 100;

/**
 * Undoes the escapes of a text, level by level until none is left; a byte becomes one character.
 * Returns nothing if the text has no escapes.
 */
export function unescapeText(written: string): Reading | undefined {
  let reading: Reading | undefined;
  for (let level = 0; level < LEVELS; level++) {
    const next = unescapeOnce(reading?.text ?? written);
    if (next === undefined) break;
    reading = reading === undefined ? next : readFurther(reading, next);
  }
  return reading;
}

/** The offset of an escape that the next piece of a stream may complete. */
export function startOfPartialEscape(text: string): number {
  const offset = Math.max(0, text.length - LONGEST_PARTIAL);
  let reading = asWritten(text.slice(offset));
  let from = reading.text.length;
  for (let level = 0; level <= LEVELS; level++) {
    const start = PARTIAL.exec(reading.text)?.index;
    if (start !== undefined) from = Math.min(from, reading.toWritten(start, start + 1).start);
    const next = unescapeOnce(reading.text);
    if (next === undefined) break;
    reading = readFurther(reading, next);
  }
  return offset + from;
}

function unescapeOnce(text: string): Reading | undefined {
  // Most texts have none, and searching for a character is far cheaper than for a pattern.
  if (!MARKS.some((mark) => text.includes(mark))) return undefined;
  return replaceIn(text, ESCAPE, readEscape);
}

function readEscape(match: RegExpMatchArray): string | undefined {
  const [whole, unit, point, code, sign, hex, decimal, name, byte] = match;
  const number = unit ?? point ?? code ?? hex ?? byte;
  if (number !== undefined) return character(Number.parseInt(number, 16));
  if (decimal !== undefined) return character(Number(decimal));
  if (name !== undefined) return REFERENCES[name.toLowerCase()];
  if (sign !== undefined) return CONTROLS[sign.toLowerCase()] ?? sign;
  return whole.slice(0, 1);
}

function character(code: number): string | undefined {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
