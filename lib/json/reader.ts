import { isIndexName, JSON_NUMBER, noteNames, noteNumbers } from "../interpolation/mod.ts";
import { isWrittenAlike } from "./numbers.ts";

/** How much of a JSON text is kept; the rest is only counted. */
export interface JsonLimits {
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

/** Keeps everything. */
const NO_LIMITS: JsonLimits = {
  items: Number.POSITIVE_INFINITY,
  keys: Number.POSITIVE_INFINITY,
  string: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
};

/** Where bytes stop being JSON. */
export interface ByteFault {
  /** The number of bytes before it. */
  readonly at: number;
  /** What was expected there; `undefined` if a string is malformed. */
  readonly expected: string | undefined;
}

/** What may come next. */
type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma" | "end";

/** An array or an object that is being read. */
interface Frame {
  readonly container: unknown[] | Record<string, unknown>;
  readonly parent: Frame | undefined;
  readonly depth: number;
  key: string;
  /** The names of an object in their order, from the first one on that JavaScript lists before others. */
  names: string[] | undefined;
  /** The texts of numbers that JavaScript writes otherwise, by their names. */
  texts: Record<string, string> | undefined;
  count: number;
  /** Set where the rest is not kept. */
  skip: Skip | undefined;
}

/** A string or a word that goes on in the next chunk. */
interface OpenToken {
  readonly kind: "key" | "string" | "word";
  /** The number of bytes of the text before it. */
  readonly start: number;
  kept: Uint8Array;
  /** Whether more bytes than these belong to it. */
  isCut: boolean;
  /** Whether a backslash escapes the next byte. */
  isEscaped: boolean;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Reads JSON (RFC 8259) in UTF-8, chunk by chunk, to any depth: a text nested too deeply for `JSON.parse` has its
 * value and its fault as any other.
 */
export class JsonReader {
  readonly #parseNumber: (text: string) => unknown;
  readonly #limits: JsonLimits;
  readonly #onName: ((name: string) => void) | undefined;
  /** The containers that are not kept whole. */
  readonly #skipped = new Map<object, Frame>();
  #root: unknown;
  #frame: Frame | undefined;
  #expected: Expected = "value";
  /** The number of values kept. */
  #kept = 0;
  #open: OpenToken | undefined;
  /** The number of bytes of the chunks before this one. */
  #offset = 0;
  #fault: ByteFault | undefined;

  /**
   * @param parseNumber Converts the text of a number.
   * @param limits What is kept; everything by default.
   * @param onName Is told the names of the members that are kept.
   */
  constructor(
    parseNumber: (text: string) => unknown,
    limits: JsonLimits = NO_LIMITS,
    onName?: (name: string) => void,
  ) {
    this.#parseNumber = parseNumber;
    this.#limits = limits;
    this.#onName = onName;
  }

  /** The value so far; items of a list are added when they are complete. */
  get value(): unknown {
    return this.#root;
  }

  /** The first fault; what follows it is not read. What is only counted is not checked. */
  get fault(): ByteFault | undefined {
    return this.#fault;
  }

  /** The number of items or keys of an array or object that is not kept whole, counted so far. */
  total(container: object): number | undefined {
    const frame = this.#skipped.get(container);
    return frame && frame.count + (frame.skip?.commas ?? 0);
  }

  /** Reads the next bytes. */
  feed(chunk: Uint8Array): void {
    let at = this.#open === undefined ? 0 : this.#continueToken(this.#open, chunk);
    while (at < chunk.length && this.#fault === undefined) {
      const skip = this.#frame?.skip;
      if (skip !== undefined) {
        at = skip.walk(chunk, at);
        if (skip.isClosed) this.#close();
        continue;
      }
      const byte = chunk[at] as number;
      const isBlank = byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB;
      at = isBlank ? at + 1 : this.#readToken(chunk, at, byte);
    }
    this.#offset += chunk.length;
  }

  /** Ends the text. */
  end(): void {
    const token = this.#open;
    if (this.#fault !== undefined) return;
    if (token !== undefined && token.kind !== "word") this.#fail(token.start, undefined);
    else if (token !== undefined) this.#finishToken(token);
    if (this.#expected !== "end") this.#fail(this.#offset, this.#expected);
    for (let frame = this.#frame; frame !== undefined; frame = frame.parent) noteOrder(frame);
  }

  /** @returns The index after the token, or of the same one where it is read as something else. */
  #readToken(chunk: Uint8Array, at: number, byte: number): number {
    switch (this.#expected) {
      case "value or ]":
        return byte === CLOSE_LIST ? this.#closeAt(at) : this.#readValue(chunk, at, byte);
      case "value":
        return this.#readValue(chunk, at, byte);
      case "key or }":
        return byte === CLOSE_OBJECT ? this.#closeAt(at) : this.#readKey(chunk, at, byte);
      case "key":
        return this.#readKey(chunk, at, byte);
      case "colon":
        if (byte !== COLON) return this.#failAt(at, '":"');
        this.#expected = "value";
        return at + 1;
      case "comma":
        return this.#readComma(at, byte);
      case "end":
        return this.#failAt(at, "the end");
    }
  }

  #readValue(chunk: Uint8Array, at: number, byte: number): number {
    if (this.#isTooDeep()) return this.#skipRest(at);
    if (byte === QUOTE) return this.#readText("string", chunk, at);
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      this.#openContainer(byte === OPEN_LIST ? [] : {});
      return at + 1;
    }
    const end = endOfWord(chunk, at);
    if (end === chunk.length) return this.#beginToken("word", chunk, at, at);
    this.#addWord(decode(chunk, at, end), this.#offset + at);
    return end;
  }

  #readKey(chunk: Uint8Array, at: number, byte: number): number {
    if (byte !== QUOTE) return this.#failAt(at, "a quoted key");
    return this.#isTooDeep() ? this.#skipRest(at) : this.#readText("key", chunk, at);
  }

  #readText(kind: "key" | "string", chunk: Uint8Array, quote: number): number {
    const end = endOfString(chunk, quote + 1);
    if (end >= chunk.length) return this.#beginToken(kind, chunk, quote, end);
    const most = quote + 1 + this.#limits.string;
    const text =
      end > most ? decodeCut(chunk.subarray(quote + 1, most)) : decode(chunk, quote + 1, end);
    this.#addText(kind, text, this.#offset + quote, end > most);
    return end + 1;
  }

  #readComma(at: number, byte: number): number {
    const isList = Array.isArray(this.#frame?.container);
    if (byte === (isList ? CLOSE_LIST : CLOSE_OBJECT)) return this.#closeAt(at);
    if (byte !== COMMA) return this.#failAt(at, `"," or "${isList ? "]" : "}"}"`);
    this.#expected = isList ? "value" : "key";
    if (this.#isFull()) this.#skipRest(at);
    return at + 1;
  }

  /** @param end Where the search for its end has stopped. */
  #beginToken(kind: OpenToken["kind"], chunk: Uint8Array, at: number, end: number): number {
    const from = kind === "word" ? at : at + 1;
    this.#open = {
      kind,
      start: this.#offset + at,
      // A copy, since the chunk may have megabytes.
      kept: chunk.slice(from, from + this.#limits.string),
      isCut: chunk.length - from > this.#limits.string,
      isEscaped: kind !== "word" && end > chunk.length,
    };
    return chunk.length;
  }

  #continueToken(token: OpenToken, chunk: Uint8Array): number {
    const isWord = token.kind === "word";
    const end = isWord ? endOfWord(chunk, 0) : endOfString(chunk, token.isEscaped ? 1 : 0);
    const room = Math.max(0, this.#limits.string - token.kept.length);
    const piece = chunk.subarray(0, Math.min(end, room));
    const kept = new Uint8Array(token.kept.length + piece.length);
    kept.set(token.kept);
    kept.set(piece, token.kept.length);
    token.kept = kept;
    token.isCut ||= Math.min(end, chunk.length) > room;
    token.isEscaped = end > chunk.length;
    if (end >= chunk.length) return chunk.length;
    this.#finishToken(token);
    return isWord ? end : end + 1;
  }

  #finishToken({ kind, start, kept, isCut }: OpenToken): void {
    this.#open = undefined;
    const text = isCut ? decodeCut(kept) : decode(kept, 0, kept.length);
    if (kind === "word") this.#addWord(text, start);
    else this.#addText(kind, text, start, isCut);
  }

  #addWord(word: string, start: number): void {
    if (WORDS.has(word)) this.#addValue(WORDS.get(word));
    else if (JSON_NUMBER.test(word)) this.#addNumber(word);
    else this.#fail(start, "a value");
  }

  #addNumber(word: string): void {
    const value = this.#parseNumber(word);
    if (this.#frame !== undefined && typeof value === "number") noteText(this.#frame, word, value);
    this.#addValue(value);
  }

  #addText(kind: "key" | "string", written: string, start: number, isCut: boolean): void {
    const text = unescaped(written, isCut);
    if (text === undefined) this.#fail(start, undefined);
    else if (kind === "string") this.#addValue(text);
    else if (this.#frame !== undefined) {
      this.#onName?.(text);
      this.#frame.key = text;
      this.#expected = "colon";
    }
  }

  #addValue(value: unknown): void {
    if (this.#frame === undefined) this.#root = value;
    else add(this.#frame, value);
    this.#kept++;
    this.#expected = this.#frame === undefined ? "end" : "comma";
  }

  #openContainer(container: Frame["container"]): void {
    const parent = this.#frame;
    this.#kept++;
    if (parent === undefined) this.#root = container;
    else if (isVisibleAtOnce(parent, container)) add(parent, container);
    const depth = (parent?.depth ?? 0) + 1;
    this.#frame = {
      container,
      parent,
      depth,
      key: "",
      names: undefined,
      texts: undefined,
      count: 0,
      skip: undefined,
    };
    this.#expected = Array.isArray(container) ? "value or ]" : "key or }";
  }

  #closeAt(at: number): number {
    this.#close();
    return at + 1;
  }

  #close(): void {
    const { container, parent } = this.#frame as Frame;
    noteOrder(this.#frame as Frame);
    this.#frame = parent;
    if (parent !== undefined && !isVisibleAtOnce(parent, container)) add(parent, container);
    this.#expected = parent === undefined ? "end" : "comma";
  }

  /** Whether no further item of the current array or object is kept. */
  #isFull(): boolean {
    const frame = this.#frame;
    if (frame === undefined) return false;
    const most = Array.isArray(frame.container) ? this.#limits.items : this.#limits.keys;
    return this.#isTooDeep() || this.#kept >= this.#limits.values || frame.count >= most;
  }

  /** Whether not even the first item of the current array or object is kept. */
  #isTooDeep(): boolean {
    return this.#frame !== undefined && this.#frame.depth > this.#limits.depth;
  }

  /** Skips and counts the rest of the current array or object, beginning with one more item. */
  #skipRest(at: number): number {
    const frame = this.#frame as Frame;
    frame.count++;
    frame.skip = new Skip();
    this.#skipped.set(frame.container, frame);
    return at;
  }

  #failAt(at: number, expected: string): number {
    this.#fail(this.#offset + at, expected);
    return at;
  }

  #fail(at: number, expected: string | undefined): void {
    this.#fault ??= { at, expected };
  }
}

/** A list in an object is visible while it grows; an item of a list only when it is complete. */
function isVisibleAtOnce({ container }: Frame, inner: Frame["container"]): boolean {
  return !Array.isArray(container) || Array.isArray(inner);
}

function add(frame: Frame, value: unknown): void {
  const { container, key } = frame;
  frame.count++;
  if (Array.isArray(container)) {
    container.push(value);
    return;
  }
  if (frame.names !== undefined) frame.names.push(key);
  else if (isIndexName(key)) frame.names = [...Object.keys(container), key];
  if (key === "__proto__") {
    // An assignment would set the prototype instead of a key.
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(container, key, property);
  } else container[key] = value;
}

/** Notes the text of a number that is about to be added, if JavaScript writes it otherwise. */
function noteText(frame: Frame, text: string, value: number): void {
  const { container, key, count } = frame;
  const name = Array.isArray(container) ? count : key;
  // Most numbers need not be written to know.
  if (/^[1-9]\d{0,14}$/.test(text) || isWrittenAlike(text, value)) {
    // The former of two equal names may have been written otherwise.
    if (frame.texts !== undefined) delete frame.texts[name];
    return;
  }
  if (frame.texts === undefined) {
    frame.texts = {};
    noteNumbers(container, frame.texts);
  }
  frame.texts[name] = text;
}

function noteOrder({ container, names }: Frame): void {
  if (names !== undefined) noteNames(container, names);
}

/** Skips the rest of an array or object, and counts the commas between its items. */
class Skip {
  commas = 0;
  isClosed = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /**
   * @returns Where it stopped: after the bracket that closes the container, or at the end of the chunk.
   */
  walk(chunk: Uint8Array, from: number): number {
    // Local variables, bare loops, no read beyond the end: this runs for each of a hundred million bytes.
    const end = chunk.length;
    let at = from;
    let level = this.#depth;
    let passed = 0;
    if (this.#isInString) at = endOfString(chunk, this.#isEscaped ? from + 1 : from) + 1;
    for (; at < end; at++) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) at = endOfString(chunk, at + 1);
      else if (byte === COMMA) passed += level === 0 ? 1 : 0;
      else {
        // Brackets and braces differ in one bit.
        const folded = byte & 0xdf;
        if (folded === OPEN_LIST) level++;
        else if (folded === CLOSE_LIST && --level < 0) break;
      }
    }
    this.#depth = level;
    this.commas += passed;
    this.isClosed = level < 0;
    // After an open string, the index is beyond the end; otherwise it is the end.
    this.#isInString = at > end;
    this.#isEscaped = at > end + 1;
    return this.isClosed ? at + 1 : end;
  }
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

function endOfWord(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && IN_WORD[chunk[at] as number] === 1) at++;
  return at;
}

/** The bytes of numbers and names, and those that neither may be followed by. */
const IN_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\w.+-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Below this length the decoder takes longer to call than ASCII to be put together. */
const SHORT = 24;

function decode(chunk: Uint8Array, from: number, to: number): string {
  if (to - from > SHORT) return decoder.decode(chunk.subarray(from, to));
  let text = "";
  for (let at = from; at < to; at++) {
    const byte = chunk[at] as number;
    if (byte > 0x7f) return decoder.decode(chunk.subarray(from, to));
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Without an incomplete character at the end, which a decoder keeps for the next chunk. */
function decodeCut(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

const CONTROL = /[^\u0020-\uffff]/;

/** The text between the quotes of a string; `undefined` if it is malformed. */
function unescaped(written: string, isCut: boolean): string | undefined {
  if (!written.includes("\\")) return CONTROL.test(written) ? undefined : written;
  const [, broken = ""] =
    (isCut && /(?<!\\)(?:\\\\)*(\\(?:u[\da-fA-F]{0,3})?)$/.exec(written)) || [];
  try {
    return JSON.parse(`"${written.slice(0, written.length - broken.length)}"`) as string;
  } catch {
    return undefined;
  }
}
