import { compareLosslessNumber, LosslessNumber, parse } from "lossless-json";
import {
  createNumberText,
  isNumberText,
  type NumberText,
  parseWrittenNumber,
  type Value,
} from "../interpolation/mod.ts";
import type { SecretRange } from "../secrets/mod.ts";

/**
 * A number that JSON.parse might change: 16 digits or more, or an exponent of three digits. It may be
 * part of a string, which only costs time.
 */
const CANDIDATE =
  /(?<=^|[[:,\s])-?(?:\d[\d.]{15,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d{3,})(?=[\s,\]}]|$)/g;
const INTEGER = /^-?\d+$/;

/** Finds the secrets in a text. */
type Locate = (text: string) => readonly SecretRange[];

/**
 * Parses JSON (RFC 8259) and keeps all digits: integers beyond 2^53 become a bigint, other numbers that a
 * double would change a {@link NumberText}; everything else is as from `JSON.parse`.
 *
 * @param text The JSON text.
 * @param locate Finds the secrets in the text, which the message of an error masks.
 * @throws {SyntaxError} It is not valid JSON; the message contains the line and the column.
 */
export function parseJson(text: string, locate: Locate = () => []): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw located(text, error, locate);
  }
  return hasChangedNumber(text) ? parseLossless(text, parseNumber) : value;
}

/**
 * Parses JSON that a person wrote as the value of a variable: each number is inserted with the text that
 * it is written with, so `1.0` stays `1.0`.
 *
 * @throws {SyntaxError} It is not valid JSON.
 */
export function parseWrittenJson(text: string): Value {
  try {
    JSON.parse(text);
  } catch (error) {
    throw located(text, error, () => []);
  }
  return parseLossless(text, parseWrittenNumber) as Value;
}

/**
 * Replaces the numbers of a variable that keep their text by plain ones, for code: `1.0` becomes 1. A
 * number that a double would alter stays as it is.
 */
export function toPlainNumbers(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (isNumberText(value)) return parseNumber(value.toString());
  if (Array.isArray(value)) return value.map(toPlainNumbers);
  const entries = Object.entries(value as { readonly [key: string]: Value });
  return Object.fromEntries(entries.map(([key, one]) => [key, toPlainNumbers(one)]));
}

/** Most long decimals are doubles that a program has written, which JSON.parse preserves. */
function hasChangedNumber(text: string): boolean {
  for (const [number] of text.matchAll(CANDIDATE)) {
    const isKept = number.includes(".") && String(Number(number)) === number;
    if (!isKept && typeof parseNumber(number) !== "number") return true;
  }
  return false;
}

type ParseNumber = (text: string) => number | bigint | NumberText;

function parseLossless(text: string, parseNumber: ParseNumber): unknown {
  try {
    return parse(text, null, {
      parseNumber,
      // As in JSON.parse, the last of two equal keys counts.
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (error) {
    // The parser is recursive and overflows the stack on deep JSON.
    if (error instanceof RangeError) return parseDeepJson(text, parseNumber);
    throw error;
  }
}

/** Reads a JSON number as the plainest value that loses no digit: a number wherever it is one exactly. */
function parseNumber(text: string): number | bigint | NumberText {
  const number = Number(text);
  if (INTEGER.test(text)) return Number.isSafeInteger(number) ? number : BigInt(text);
  if (!Number.isFinite(number)) return createNumberText(text);
  const kept = compareLosslessNumber(new LosslessNumber(text), new LosslessNumber(String(number)));
  return kept === 0 ? number : createNumberText(text);
}

/** Runtimes word this error differently and may lack its position, so it is found here. */
function located(text: string, cause: unknown, locate: Locate): SyntaxError {
  const offset = offsetOfFault(text);
  if (offset === undefined) {
    return new SyntaxError("Cannot parse the body as JSON: it is not valid JSON", { cause });
  }
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const start = before.lastIndexOf("\n") + 1;
  const column = [...before.slice(start)].length + 1;
  const excerpt = excerptAt(text, start, offset, locate(text));
  const found = offset < text.length ? `near ${JSON.stringify(excerpt)}` : "the text ends there";
  const message = `Cannot parse the body as JSON at line ${line}, column ${column}: ${found}`;
  // The message of Node quotes the text and may cut a secret.
  const quotes = cause instanceof Error && cause.message.includes('"');
  return new SyntaxError(message, quotes ? {} : { cause });
}

const AROUND = 20;

/** The text around an error on its line, with whole secrets masked: a part of one is not recognized later. */
function excerptAt(
  text: string,
  start: number,
  offset: number,
  secrets: readonly SecretRange[],
): string {
  const line = text.slice(start, offset + AROUND).split(/\r?\n/, 1)[0] ?? "";
  const end = start + line.length;
  let excerpt = "";
  let from = Math.max(start, offset - AROUND);
  for (const secret of secrets) {
    if (secret.start >= end || secret.end <= from) continue;
    excerpt += text.slice(from, Math.max(from, secret.start)) + secret.shown;
    from = secret.end;
  }
  return excerpt + text.slice(from, Math.max(from, end));
}

function offsetOfFault(text: string): number | undefined {
  try {
    parse(text, null, { parseNumber: () => 0, onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    const position = /at position (\d+)$/.exec(error instanceof Error ? error.message : "")?.[1];
    return position === undefined ? undefined : Number(position);
  }
  return undefined;
}

const NUMBER = /-?\d[\d.eE+-]*/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses JSON of any depth, where a recursive parser overflows the stack: `JSON.parse` reads numbers as
 * marked strings.
 *
 * @param text Valid JSON.
 * @param parseNumber Converts the text of a number.
 */
function parseDeepJson(text: string, parseNumber: (text: string) => unknown): unknown {
  const mark = crypto.randomUUID();
  const marked = markNumbers(text, (token) =>
    typeof parseNumber(token) === "number" ? token : `"${mark}${token}"`,
  );
  const root: { value: unknown } = { value: JSON.parse(marked) };
  const open: object[] = [root];
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key);
      if (typeof value === "object" && value !== null) open.push(value);
      if (typeof value !== "string" || !value.startsWith(mark)) continue;
      // An assignment to the key `__proto__` would set the prototype.
      const number = parseNumber(value.slice(mark.length));
      Object.defineProperty(holder, key, { ...ORDINARY, value: number });
    }
  }
  return root.value;
}

const ORDINARY = { writable: true, enumerable: true, configurable: true } as const;

/** Without a regular expression, which overflows on a string with a million escapes. */
function markNumbers(text: string, write: (token: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    NUMBER.lastIndex = at;
    if (code === QUOTE) at = endOfString(text, at);
    else if (code > QUOTE && code < 0x3a && NUMBER.test(text)) {
      parts.push(text.slice(from, at), write(text.slice(at, NUMBER.lastIndex)));
      at = NUMBER.lastIndex;
      from = at;
    } else at += 1;
  }
  return parts.join("") + text.slice(from);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}
