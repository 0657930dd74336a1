/** The text of a body, and what is wrong with its charset. */
interface DecodedText {
  readonly text: string;
  readonly warning?: string;
}

/** 0x80 to 0x9F of windows-1252, which Node 20 decodes as control characters (nodejs/node#56542). */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Decodes a body by its byte order mark, or else by its charset, or else as UTF-8.
 *
 * @param bytes The body.
 * @param charset The charset in the Content-Type.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): DecodedText {
  const label = charsetOfMark(bytes) ?? charset ?? "utf-8";
  const decoder = decoderFor(label);
  if (decoder) return { text: repair(decoder.decode(bytes), decoder.encoding) };
  const warning = `The charset "${label}" is unknown: the body is decoded as UTF-8`;
  return { text: new TextDecoder().decode(bytes), warning };
}

/** Whether this runtime can decode a charset. */
export function isKnownCharset(charset = "utf-8"): boolean {
  return decoderFor(charset) !== undefined;
}

function charsetOfMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    // A RangeError: this runtime does not know the label, which the caller warns about.
    return undefined;
  }
}

/** Replaces the control characters that a runtime decodes instead of windows-1252. */
function repair(text: string, encoding: string): string {
  if (encoding !== "windows-1252") return text;
  return text.replace(/[\u0080-\u009f]/g, (c) => WINDOWS_1252.charAt(c.charCodeAt(0) - 0x80));
}
