const encoder = new TextEncoder();
const decoder = new TextDecoder();
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** Encodes text as UTF-8 in a byte string, one character per byte, as fetch takes header values. */
export function toByteString(text: string): string {
  if (ASCII.test(text)) return text;
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Decodes a byte string; header values beyond ASCII are UTF-8 in practice. */
export function fromByteString(value: string): string {
  if (ASCII.test(value)) return value;
  return decoder.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));
}
