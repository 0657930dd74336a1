import { createNumberText, parseWrittenNumber, type Value } from "../interpolation/mod.ts";
import { INDEX_NAME, mayChangeNumbers, parseNumber } from "./numbers.ts";
import { type JsonLimits, JsonReader } from "./reader.ts";

/** A range of a text that is not quoted, and what is written in its place. */
interface HiddenRange {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

/** Finds what an error does not quote: the secrets in a text. */
type Locate = (text: string) => readonly HiddenRange[];

/**
 * Parses JSON (RFC 8259) and keeps all digits: integers beyond 2^53 become a bigint, other numbers that a
 * double would change a {@link NumberText}; everything else is as from `JSON.parse`. What JavaScript lists or writes
 * otherwise, the order of names and numbers such as `1.10`, is noted beside the objects.
 *
 * @param text The JSON text.
 * @param locate Finds the secrets in the text, which the message of an error masks.
 * @throws {SyntaxError} It is not valid JSON; the message contains the line and the column.
 */
export function parseJson(text: string, locate: Locate = () => []): unknown {
  if (INDEX_NAME.test(text) || mayChangeNumbers(text)) {
    const { reader } = readText(text, parseNumber);
    if (reader.fault === undefined) return reader.value;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw located(text, error, locate);
  }
}

/**
 * Parses JSON that a person wrote as the value of a variable: each number is inserted with the text that
 * it is written with, so `1.0` stays `1.0`.
 *
 * @throws {SyntaxError} It is not valid JSON.
 */
export function parseWrittenJson(text: string): Value {
  const { reader } = readText(text, parseWrittenNumber);
  if (reader.fault !== undefined) throw located(text, undefined, () => []);
  return reader.value as Value;
}

function readText(
  text: string,
  parse: (text: string) => unknown,
): { readonly reader: JsonReader; readonly bytes: Uint8Array } {
  const bytes = new TextEncoder().encode(text);
  const reader = new JsonReader(parse);
  reader.feed(bytes);
  reader.end();
  return { reader, bytes };
}

/** The first fault of a text that should be JSON (RFC 8259). */
export interface JsonFault {
  /** UTF-16 offset; the length of the text if it ends unexpectedly. */
  readonly offset: number;
  /** What is wrong there. */
  readonly message: string;
}

/**
 * Finds the first fault of a JSON text. The messages of `JSON.parse` differ between runtimes and may have no
 * position.
 *
 * @returns `undefined` for valid JSON.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const { reader, bytes } = readText(text, Number);
  if (reader.fault === undefined) return undefined;
  const { at, expected } = reader.fault;
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, at));
  const offset = before.length;
  if (expected === undefined) return { offset, message: "a string is malformed" };
  const found = text.codePointAt(offset);
  if (found === undefined) return { offset, message: "it ends unexpectedly" };
  const character = JSON.stringify(String.fromCodePoint(found));
  return { offset, message: `expected ${expected}, found ${character}` };
}

function located(text: string, cause: unknown, locate: Locate): SyntaxError {
  const offset = findJsonFault(text)?.offset;
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
  secrets: readonly HiddenRange[],
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

/** More than any view shows, and little compared with the bodies that this is for. */
export const HEAD_LIMITS: JsonLimits = {
  items: 1_000,
  keys: 10_000,
  string: 65_536,
  values: 20_000,
  depth: 70,
};

/** The beginning of a JSON text. */
export interface JsonHead {
  /** Whether it is JSON, as far as it was kept. */
  readonly isWhole: boolean;
  /** The first items of lists and the first keys of objects. */
  readonly value: unknown;
  /** The names of its members, each once. */
  readonly names: ReadonlySet<string>;
  /** The number of items or keys of an array or object that is not kept whole. */
  total(container: object): number | undefined;
}

const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];
/** Parsing a bigint of a million digits takes seconds, and nobody reads it. */
const MOST_DIGITS = 1_000;

/**
 * Reads the beginning of a JSON text in UTF-8; the rest is counted. The limits bound the memory, whatever the text
 * is.
 */
export function readJsonHead(
  chunks: Iterable<Uint8Array>,
  limits: JsonLimits = HEAD_LIMITS,
): JsonHead {
  const parse = (text: string): unknown =>
    text.length > MOST_DIGITS ? createNumberText(text) : parseNumber(text);
  const names = new Set<string>();
  const reader = new JsonReader(parse, limits, (name) => names.add(name));
  let mark = 0;
  for (const chunk of chunks) {
    let from = 0;
    while (from < chunk.length && chunk[from] === BYTE_ORDER_MARK[mark]) {
      from++;
      mark++;
    }
    if (from < chunk.length) mark = BYTE_ORDER_MARK.length;
    reader.feed(from === 0 ? chunk : chunk.subarray(from));
  }
  reader.end();
  return {
    isWhole: reader.fault === undefined,
    value: reader.value,
    names,
    total: (container) => reader.total(container),
  };
}
