import { createNumberText, JSON_NUMBER } from "../interpolation/mod.ts";
import { parseJson } from "../json/mod.ts";

/** How much of a JSON text is kept; the rest is only counted. */
export interface HeadLimits {
  /** Items of one array. */
  readonly items: number;
  /** Keys of one object. */
  readonly keys: number;
  /** Bytes of one string. */
  readonly string: number;
  /** Values in all. */
  readonly values: number;
  /** Levels of arrays and objects. */
  readonly depth: number;
}

/** What may come next in a JSON text. */
type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end" | "nothing";

/** An array or an object that is being read. */
interface Frame {
  readonly container: unknown[] | Record<string, unknown>;
  readonly parent: Frame | undefined;
  readonly depth: number;
  key: string;
  count: number;
  skip: JsonSkip | undefined;
}

/** A JSON text as far as it has been read. */
interface JsonReading {
  readonly limits: HeadLimits;
  /** The containers that are not kept whole. */
  readonly skipped: Map<object, Frame>;
  root: unknown;
  frame: Frame | undefined;
  expected: Expected;
  /** The number of values kept. */
  kept: number;
  token: Token | undefined;
}

/** Begins the reading of a JSON text. */
export function createReading(limits: HeadLimits): JsonReading {
  return {
    limits,
    skipped: new Map(),
    root: undefined,
    frame: undefined,
    expected: "value",
    kept: 0,
    token: undefined,
  };
}

/** Adds a value that is complete. */
function placeValue(reading: JsonReading, value: unknown): void {
  if (reading.frame === undefined) reading.root = value;
  else add(reading.frame, value);
  if (typeof value !== "object" || value === null) reading.kept++;
  reading.expected = reading.frame === undefined ? "nothing" : ", or end";
}

/** Begins an array or an object. */
function openContainer(reading: JsonReading, container: Frame["container"]): void {
  const parent = reading.frame;
  reading.kept++;
  if (parent === undefined) reading.root = container;
  else if (isVisibleAtOnce(parent, container)) add(parent, container);
  const depth = (parent?.depth ?? 0) + 1;
  reading.frame = { container, parent, depth, key: "", count: 0, skip: undefined };
  reading.expected = Array.isArray(container) ? "value or ]" : "key or }";
}

/** Ends the current array or object. */
function closeContainer(reading: JsonReading): void {
  const { container, parent } = reading.frame as Frame;
  reading.frame = parent;
  if (parent !== undefined && !isVisibleAtOnce(parent, container)) add(parent, container);
  reading.expected = parent === undefined ? "nothing" : ", or end";
}

/** Whether no further item of the current array or object is kept. */
function isFull({ frame, limits, kept }: JsonReading): boolean {
  if (frame === undefined) return false;
  const most = Array.isArray(frame.container) ? limits.items : limits.keys;
  return frame.depth > limits.depth || kept >= limits.values || frame.count >= most;
}

/** Skips and counts the rest of the current array or object, beginning with one more item. */
function skipRest({ frame, skipped }: JsonReading): void {
  if (frame === undefined) return;
  frame.count++;
  frame.skip = createJsonSkip();
  skipped.set(frame.container, frame);
}

/** The number of items or keys of a container that is not kept whole, counted so far. */
export function countSkipped({ skipped }: JsonReading, container: object): number | undefined {
  const frame = skipped.get(container);
  return frame && frame.count + (frame.skip?.commas ?? 0);
}

/** A list in an object is visible while it grows; an item of a list only when it is complete. */
function isVisibleAtOnce({ container }: Frame, inner: Frame["container"]): boolean {
  return !Array.isArray(container) || Array.isArray(inner);
}

function add(frame: Frame, value: unknown): void {
  const { container, key } = frame;
  frame.count++;
  if (Array.isArray(container)) container.push(value);
  else if (key === "__proto__") {
    // An assignment would set the prototype instead of a key.
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(container, key, property);
  } else container[key] = value;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** Skips the rest of a JSON array or object. */
interface JsonSkip {
  /** The number of commas between items so far; those inside of items do not count. */
  readonly commas: number;
  /**
   * Skips a chunk.
   *
   * @returns Where it stopped: after the bracket that closes the container, or at the end of the chunk.
   */
  walk(chunk: Uint8Array, from: number): { readonly next: number; readonly closed: boolean };
}

/** Begins to skip, inside of the container. */
function createJsonSkip(): JsonSkip {
  let depth = 0;
  let commas = 0;
  let inString = false;
  // Whether a chunk ended with a backslash, which escapes the next byte.
  let escaped = false;

  // Local variables, bare loops, no read beyond the end: this runs for each of a hundred million bytes.
  const walk = (chunk: Uint8Array, from: number): { next: number; closed: boolean } => {
    const end = chunk.length;
    let at = from;
    let level = depth;
    let passed = 0;
    if (inString) at = endOfString(chunk, escaped ? from + 1 : from) + 1;
    for (; at < end; at++) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) at = endOfString(chunk, at + 1);
      else if (byte === COMMA) passed += level === 0 ? 1 : 0;
      else {
        // Brackets and braces differ in one bit.
        const folded = byte & 0xdf;
        if (folded === OPEN) level++;
        else if (folded === CLOSE && --level < 0) break;
      }
    }
    depth = level;
    commas += passed;
    if (level < 0) return { next: at + 1, closed: true };
    // After an open string, the index is beyond the end; otherwise it is the end.
    inString = at > end;
    escaped = at > end + 1;
    return { next: end, closed: false };
  };
  return {
    get commas() {
      return commas;
    },
    walk,
  };
}

/** The index of the quote that closes a string; otherwise the end, or one more after a backslash. */
function endOfString(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length) {
    const byte = chunk[at] as number;
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return at;
}

/** What to do after a byte: read the next one, read it again, or give up. */
type Step = "next" | "again" | "broken";

/**
 * Reads from a chunk of a JSON text until something has ended.
 *
 * @returns The index to continue at.
 * @throws {SyntaxError} It is not JSON.
 */
export function readStep(reading: JsonReading, chunk: Uint8Array, at: number): number {
  const { token, frame } = reading;
  if (token !== undefined) {
    const next = token.read(chunk, at);
    if (next < 0) return chunk.length;
    finishToken(reading, token);
    return next;
  }
  if (frame?.skip !== undefined) {
    const { next, closed } = frame.skip.walk(chunk, at);
    if (closed) closeContainer(reading);
    return next;
  }
  const byte = chunk[at] ?? 0;
  if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
  const step = SYNTAX[reading.expected](reading, String.fromCharCode(byte));
  if (step === "broken") throw new SyntaxError(`Expected ${reading.expected}`);
  return step === "again" ? at : at + 1;
}

/**
 * Ends a string, a key or a word.
 *
 * @throws {SyntaxError} It has no value.
 */
export function finishToken(reading: JsonReading, token: Token): void {
  reading.token = undefined;
  const value = token.finish();
  if (token.kind === "key" && reading.frame !== undefined) {
    reading.frame.key = String(value);
    reading.expected = ":";
  } else placeValue(reading, value);
}

type ReadMark = (reading: JsonReading, mark: string) => Step;

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

// A double represents this many digits exactly; longer numbers need the lossless parser.
const SAFE_DIGITS = 15;

// Parsing a bigint of a million digits takes seconds, and nobody reads it.
const MAX_DIGITS = 1_000;

const CONTROL = /[^\u0020-\uffff]/;

const SYNTAX: Readonly<Record<Expected, ReadMark>> = {
  value: startValue,
  "value or ]": (reading, mark) => (mark === "]" ? close(reading) : startValue(reading, mark)),
  key: startKey,
  "key or }": (reading, mark) => (mark === "}" ? close(reading) : startKey(reading, mark)),
  ":": (reading, mark) => {
    if (mark !== ":") return "broken";
    reading.expected = "value";
    return "next";
  },
  ", or end": continueContainer,
  nothing: () => "broken",
};

function startValue(reading: JsonReading, mark: string): Step {
  if (isTooDeep(reading)) return skipDeep(reading);
  if (mark === "{") openContainer(reading, {});
  else if (mark === "[") openContainer(reading, []);
  else if (mark === '"') startToken(reading, "string");
  else {
    startToken(reading, "word");
    return "again";
  }
  return "next";
}

function startKey(reading: JsonReading, mark: string): Step {
  if (mark !== '"') return "broken";
  if (isTooDeep(reading)) return skipDeep(reading);
  startToken(reading, "key");
  return "next";
}

function startToken(reading: JsonReading, kind: Token["kind"]): void {
  reading.token = createToken(kind, reading.limits.string);
}

function close(reading: JsonReading): Step {
  closeContainer(reading);
  return "next";
}

function continueContainer(reading: JsonReading, mark: string): Step {
  const isList = Array.isArray(reading.frame?.container);
  if (mark === (isList ? "]" : "}")) return close(reading);
  if (mark !== ",") return "broken";
  reading.expected = isList ? "value" : "key";
  if (isFull(reading)) skipRest(reading);
  return "next";
}

function isTooDeep({ frame, limits }: JsonReading): boolean {
  return frame !== undefined && frame.depth > limits.depth;
}

/** Below the deepest level not even the first item is read. */
function skipDeep(reading: JsonReading): Step {
  skipRest(reading);
  return "again";
}

/** A string, a key or a word, while its bytes arrive. */
interface Token {
  readonly kind: "string" | "key" | "word";
  /** Reads bytes; returns the index after the token, or -1 when it has not ended. */
  read(chunk: Uint8Array, from: number): number;
  /**
   * Returns its value.
   *
   * @throws {SyntaxError} It has no value.
   */
  finish(): unknown;
}

/** Begins to read a token, after its opening quote if it has one; `most` bytes of it are kept. */
function createToken(kind: Token["kind"], most: number): Token {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let escaped = false;
  const keep = (piece: Uint8Array): void => {
    const room = piece.subarray(0, Math.max(0, most - length));
    // A copy, since the chunk may have megabytes.
    if (room.length > 0) pieces.push(room.slice());
    length += piece.length;
  };
  const endOf = (chunk: Uint8Array, from: number): number => {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (kind === "word") {
        if (byte <= 0x20 || byte === 0x2c || byte === 0x5d || byte === 0x7d) return at;
      } else if (escaped) escaped = false;
      else if (byte === 0x5c) escaped = true;
      else if (byte === 0x22) return at;
    }
    return -1;
  };
  return {
    kind,
    read: (chunk, from) => {
      const end = endOf(chunk, from);
      keep(chunk.subarray(from, end < 0 ? chunk.length : end));
      return end < 0 || kind === "word" ? end : end + 1;
    },
    finish: () => {
      const cut = length > most;
      const text = decode(pieces, cut);
      return kind === "word" ? parseWord(text) : parseString(text, cut);
    },
  };
}

function decode(pieces: readonly Uint8Array[], cut: boolean): string {
  const decoder = new TextDecoder();
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("");
  // Without the final flush, an incomplete character is dropped.
  return cut ? text : text + decoder.decode();
}

function parseString(text: string, cut: boolean): string {
  if (!text.includes("\\")) {
    if (CONTROL.test(text)) throw new SyntaxError("A string contains a control character");
    return text;
  }
  const whole = cut ? withoutBrokenEscape(text) : text;
  return JSON.parse(`"${whole}"`) as string;
}

function withoutBrokenEscape(text: string): string {
  const tail = /(?<!\\)(?:\\\\)*(\\(?:u[\da-fA-F]{0,3})?)$/.exec(text);
  return tail === null ? text : text.slice(0, text.length - (tail[1]?.length ?? 0));
}

function parseWord(text: string): unknown {
  if (WORDS.has(text)) return WORDS.get(text);
  if (!JSON_NUMBER.test(text)) throw new SyntaxError(`${JSON.stringify(text)} is not a value`);
  if (text.length <= SAFE_DIGITS && !/[eE]/.test(text)) return Number(text);
  return text.length > MAX_DIGITS ? createNumberText(text) : parseJson(text);
}
