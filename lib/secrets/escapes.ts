/** A text without its escapes. */
interface Reading {
  readonly text: string;
  /** Where each of its characters begins in the text as it is written, and where that text ends. */
  readonly offsets: Int32Array;
}

/** Three levels that programs write, and two for a secret that looks escaped itself. */
const LEVELS = 5;

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
const MARKS = ["\\", "&", "%", '""', "''"];
const WRAPPED = /\n(?<=[\w+/-]{40}\r?\n)/;

/** An escape that the next piece of a stream may complete. */
const PARTIAL =
  /(?:\\(?:u(?:[\da-f]{0,3}|\{[\da-f]{0,10})|x[\da-f]?)?|&(?:#(?:x[\da-f]{0,10}|\d{0,11})|[a-z]{0,4})|%[\da-f]?)$/i;
const LONGEST_PARTIAL = 100;

/**
 * Undoes the escapes of a text, level by level until none is left; a byte becomes one character.
 * Returns nothing if the text has no escapes.
 */
export function unescapeText(written: string): Reading | undefined {
  let last: Reading | undefined;
  for (const level of readingsOf(written)) last = level;
  return last;
}

/** The offset of an escape that the next piece of a stream may complete. */
export function startOfPartialEscape(text: string): number {
  const tail = text.slice(-LONGEST_PARTIAL);
  let from = PARTIAL.exec(tail)?.index ?? tail.length;
  for (const level of readingsOf(tail)) {
    const start = PARTIAL.exec(level.text)?.index ?? level.text.length;
    from = Math.min(from, level.offsets[start] ?? from);
  }
  return text.length - tail.length + from;
}

/** The text with its escapes undone once, twice and so on, until none is left. */
export function* readingsOf(written: string): Generator<Reading, void, undefined> {
  let level: Reading | undefined;
  for (let count = 0; count < LEVELS; count++) {
    level = unescapeOnce(level?.text ?? written, level?.offsets);
    if (level === undefined) return;
    yield level;
  }
}

function unescapeOnce(text: string, outer: Int32Array | undefined): Reading | undefined {
  // Most texts have none, and searching for a character is far cheaper than for a pattern.
  if (!MARKS.some((mark) => text.includes(mark)) && !WRAPPED.test(text)) return undefined;
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

/** Shorter base64 occurs in any picture by chance. */
const SHORTEST_BASE64 = 6;
/** A shorter line of a key is not a secret. */
const SHORTEST_LINE = 12;

const encoder = new TextEncoder();

/**
 * The forms in which a secret is searched for: plain, as its bytes, as part of a host name, as a form
 * field, and in base64 whatever surrounds it.
 */
export function formsOf(secret: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const text of partsOf(secret)) {
    for (const form of plainFormsOf(text)) forms.add(form).add(toBytes(form));
    // The URL parser writes the name of a host in lower case.
    if (/^[A-Za-z0-9.-]+$/.test(text)) forms.add(text.toLowerCase());
    for (const bytes of packedFormsOf(text)) {
      for (const form of inBase64(bytes)) forms.add(form);
    }
  }
  forms.delete("");
  return forms;
}

/** A key may be shown line by line; the lines that begin and end it are the same in every key. */
function partsOf(secret: string): ReadonlySet<string> {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const own = lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith("-----"));
  return new Set([secret, secret.trim(), ...(lines.length > 1 ? own : [])]);
}

/**
 * The text itself, as a form writes and reads it, as the URL parser writes it in a path, and each of
 * these with its escapes undone.
 */
function plainFormsOf(text: string): string[] {
  const forms = new Set([
    text,
    text.replaceAll(" ", "+"),
    text.replaceAll("+", " "),
    text.replaceAll("\\", "/"),
  ]);
  const all = [...forms, ...Array.from(forms, (form) => unescapeText(form)?.text ?? form)];
  return all.filter((form) => form === text || whyUnsafe(form) === undefined);
}

/** The bytes that are put into base64: of the text, of the text in JSON, in Latin-1 as `btoa` takes it. */
function packedFormsOf(text: string): ReadonlySet<string> {
  const forms = [toBytes(text), toBytes(JSON.stringify(text).slice(1, -1))];
  return new Set(/[^\0-\xff]/.test(text) ? forms : [...forms, text]);
}

/**
 * Base64 packs three bytes into four characters, so the form of a text depends on the bytes before it, such as
 * `user:` before a password. Characters that contain bits of adjacent bytes are left out, except at the end.
 */
function inBase64(bytes: string): string[] {
  const forms: string[] = [];
  for (let before = 0; before < 3; before++) {
    const encoded = btoa("\0".repeat(before) + bytes);
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    forms.push(encoded.slice(start), encoded.slice(start).replace(/=+$/, ""));
    forms.push(encoded.slice(start, end));
  }
  return forms
    .filter((form) => form.length >= SHORTEST_BASE64)
    .flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** The UTF-8 of a text, each byte as one character. */
function toBytes(text: string): string {
  const bytes = encoder.encode(text);
  if (bytes.length === text.length) return text;
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** A kind of text, and how long it has to be not to occur by chance. */
interface Kind {
  readonly pattern: RegExp;
  /** The characters that count. */
  readonly counted: RegExp;
  readonly least: number;
  /** Says how many there are, and what masking would hide. */
  readonly reason: (count: number) => string;
}

// In one case, or capitalized: random letters change their case more often. Letters without case are
// too many to occur by chance.
const WORD = String.raw`(?:\p{Lu}?\p{Ll}+|\p{Lu}+)`;
// Names such as `keep-alive`, `text/html` and `camelCase` are as common as words.
const SECOND_WORD = String.raw`(?:[._/-]${WORD}|\p{Lu}\p{Ll}{2,})`;

/** The fewer kinds of characters a text has, the more of them it needs. */
const KINDS: readonly Kind[] = [
  {
    pattern: /^/,
    counted: /./gsu,
    least: 4,
    reason: (count) =>
      `it has ${some(count, "character")}, and masking a text that short would hide half of the output`,
  },
  {
    pattern: /^[-+.\s]*\d[-+.\d\s]*$/,
    counted: /\d/g,
    least: 6,
    reason: (count) =>
      `it is a number of ${some(count, "digit")}, and sizes, ports and times look like it`,
  },
  {
    pattern: new RegExp(`^${WORD}${SECOND_WORD}?$`, "u"),
    counted: /\p{L}/gu,
    least: 16,
    reason: (count) =>
      `it looks like a word of ${some(count, "letter")}, and texts are full of words`,
  },
  {
    pattern: /^[\s!-/:-@[-`{-~]*$/,
    counted: /\S/g,
    least: 8,
    reason: (count) =>
      `it has ${some(count, "symbol")} and no letter or digit, like what separates words`,
  },
];

/** A longer text is masked only in its place, below a secret name. */
export const LONGEST = 16_384;
const FEWEST_DIFFERENT = 3;

/**
 * The reason why a text cannot be masked, or nothing if it can. A text that also occurs in unrelated output
 * cannot: masking would hide half of that output, and the gaps would reveal the text. The rule is the same for
 * the values of people and of servers; otherwise a server could remove any word from all output. The reason does
 * not contain the text.
 */
export function whyUnsafe(text: string): string | undefined {
  if (text.length > LONGEST) return `it has more than ${LONGEST} characters`;
  const trimmed = text.trim();
  if (trimmed === "") return "it is blank, and blanks are everywhere";
  for (const { pattern, counted, least, reason } of KINDS) {
    if (!pattern.test(trimmed)) continue;
    const count = trimmed.match(counted)?.length ?? 0;
    if (count < least) return `${reason(count)}; at least ${least} are needed`;
  }
  if (new Set(trimmed).size < FEWEST_DIFFERENT) {
    return "it repeats one or two characters, as separator lines do";
  }
  return undefined;
}

function some(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
