/** A text without its escapes. */
export interface Reading {
  readonly text: string;
  /** Where each of its characters begins in the text as it is written, and where that text ends. */
  readonly offsets: Int32Array;
}

/** JSON in JSON, a percent-encoded redirect in a query: programs escape a text twice, and hardly more often. */
const LEVELS = 2;

/** The control characters that a letter after a backslash stands for, in JSON and in JavaScript. */
const CONTROL_ESCAPES: Readonly<Record<string, string>> = {
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

// Escapes of JSON and JavaScript, character references, percent-encoded bytes, the doubled quotes of
// CSV and YAML, and the line ends of wrapped base64. Repetitions are bounded: a regular expression
// remembers each for backtracking.
const ESCAPE =
  /\\(?:u([\da-f]{4})|u\{0{0,4}([\da-f]{1,6})\}|x([\da-f]{2})|([\\/"'`bfnrt]))|&(?:#x0{0,4}([\da-f]{1,6});?|#0{0,4}(\d{1,7});?|(amp|lt|gt|quot|apos);)|%([\da-f]{2})|"{2,1000}|'{2,1000}|\r?\n(?<=[\w+/-]{40}\r?\n)[ \t]{0,20}(?=[\w+/-])/gi;
/** What every escape contains: most texts have none of it. */
const MARK = /[\\&%]|""|''|\n(?<=[\w+/-]{40}\r?\n)/;

/** An escape that the next piece of a stream may complete. */
const PARTIAL =
  /(?:\\(?:u(?:[\da-f]{0,3}|\{[\da-f]{0,10})|x[\da-f]?)?|&(?:#(?:x[\da-f]{0,10}|\d{0,11})|[a-z]{0,4})|%[\da-f]?)$/i;
const LONGEST_PARTIAL = 100;

/** A text without its escapes, once undone; a byte becomes one character. */
export function unescapeText(written: string): string {
  return unescapeOnce(written, undefined)?.text ?? written;
}

/** The offset of an escape that the next piece of a stream may complete. */
export function startOfPartialEscape(text: string): number {
  const tail = text.slice(-LONGEST_PARTIAL);
  let from = PARTIAL.exec(tail)?.index ?? tail.length;
  for (const level of readingsOf(tail)) {
    const start = PARTIAL.exec(level.text)?.index ?? level.text.length;
    from = Math.min(from, level.offsets[start] ?? from);
  }
  // What it escapes may itself stand behind a backslash: `\\%27` is a quote, twice undone.
  while (from < tail.length && tail[from - 1] === "\\") from -= 1;
  return text.length - tail.length + from;
}

/** The text with its escapes undone once, and twice; nothing if it has none. */
export function* readingsOf(written: string): Generator<Reading, void, undefined> {
  let level: Reading | undefined;
  for (let count = 0; count < LEVELS; count++) {
    level = unescapeOnce(level?.text ?? written, level?.offsets);
    if (level === undefined) return;
    yield level;
  }
}

/** Whether a text may have escapes. */
export function isEscaped(text: string): boolean {
  return MARK.test(text);
}

function unescapeOnce(text: string, outer: Int32Array | undefined): Reading | undefined {
  if (!isEscaped(text)) return undefined;
  const parts: string[] = [];
  const offsets = new Int32Array(text.length + 1);
  let length = 0;
  let from = 0;
  const keep = (end: number): void => {
    parts.push(text.slice(from, end));
    for (; from < end; from++) offsets[length++] = outer?.[from] ?? from;
  };
  for (const match of text.matchAll(ESCAPE)) {
    const plain = charactersOf(match);
    if (plain === undefined) continue;
    keep(match.index);
    parts.push(plain);
    offsets.fill(outer?.[from] ?? from, length, length + plain.length);
    length += plain.length;
    from = match.index + match[0].length;
  }
  if (parts.length === 0) return undefined;
  keep(text.length);
  offsets[length] = outer?.[text.length] ?? text.length;
  return { text: parts.join(""), offsets };
}

function charactersOf(match: RegExpMatchArray): string | undefined {
  const [whole, unit, point, code, sign, hex, decimal, name, byte] = match;
  const number = unit ?? point ?? code ?? hex ?? byte;
  if (number !== undefined) return character(Number.parseInt(number, 16));
  if (decimal !== undefined) return character(Number(decimal));
  if (name !== undefined) return REFERENCES[name.toLowerCase()];
  if (sign !== undefined) return CONTROL_ESCAPES[sign.toLowerCase()] ?? sign;
  return whole.endsWith("'") || whole.endsWith('"') ? whole.slice(-1) : "";
}

function character(code: number): string | undefined {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
