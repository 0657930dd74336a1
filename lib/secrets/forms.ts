import { unescapeText } from "./escapes.ts";

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
    // The URL parser writes the name of a host in lower case, in which it may be a word.
    const lower = text.toLowerCase();
    if (/^[A-Za-z0-9.-]+$/.test(text) && whyUnsafe(lower) === undefined) forms.add(lower);
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
    // Undoing other escapes undoes doubled quotes as well.
    text.replace(/(["'])\1+/g, "$1"),
  ]);
  const all = [...forms, ...Array.from(forms, (form) => unescapeText(form))];
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
