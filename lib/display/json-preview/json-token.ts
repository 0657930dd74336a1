import { parseJson } from "../../exchange/mod.ts";
import { createNumberText, JSON_NUMBER } from "../../interpolation/mod.ts";

const CONTROL = /[^\u0020-\uffff]/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
// A double represents this many digits exactly; longer numbers need the lossless parser.
const SAFE_DIGITS = 15;
// Parsing a bigint of a million digits takes seconds, and nobody reads it.
const MAX_DIGITS = 1_000;

/** A string, a key or a word, while its bytes arrive. */
export interface Token {
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
export function createToken(kind: Token["kind"], most: number): Token {
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
