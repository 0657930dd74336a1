/**
 * Bytes in a text: a word of a shell is bytes, and a text has characters. A byte that belongs to no character of
 * UTF-8 stands in the text as a lone surrogate, U+DC80 to U+DCFF, which no text that was decoded contains.
 */

const LONE = /[\udc80-\udcff]+/u;
const encoder = new TextEncoder();
/** A byte order mark is content. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The characters of UTF-8, in a text with one character for each byte (RFC 3629, section 4). */
const CHARACTER =
  /[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf][\x80-\xbf]|([\x80-\xff])/g;

/** Whether a text has bytes that belong to no character. */
export function hasBytes(text: string): boolean {
  return LONE.test(text);
}

/** Decodes UTF-8; a byte that belongs to no character is kept. */
export function fromBytes(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (!text.includes("\ufffd")) return text;
  const units: string[] = [];
  for (const byte of bytes) units.push(String.fromCharCode(byte));
  return units.join("").replace(CHARACTER, (found, alone?: string) => {
    if (alone !== undefined) return String.fromCharCode(0xdc00 + alone.charCodeAt(0));
    return decoder.decode(Uint8Array.from(found, (unit) => unit.charCodeAt(0)));
  });
}

/** Encodes a text as UTF-8, and its other bytes as they are. */
export function toBytes(text: string): Uint8Array {
  const parts = splitBytes(text).map((part) =>
    typeof part === "string" ? encoder.encode(part) : part,
  );
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The characters of a text, and the bytes between them. */
export function splitBytes(text: string): readonly (string | Uint8Array)[] {
  if (!hasBytes(text)) return [text];
  return text
    .split(/([\udc80-\udcff]+)/u)
    .map((part, at) =>
      at % 2 === 0 ? part : Uint8Array.from(part, (unit) => unit.charCodeAt(0) & 0xff),
    );
}
