/** A body as text, and what was wrong with the charset that it claims. */
export interface DecodedText {
  readonly text: string;
  readonly warning?: string;
}

const UTF8 = new TextDecoder();

/** 0x80 to 0x9F of windows-1252, which Node 20 decodes as control characters (nodejs/node#56542). */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Decodes a body by its byte order mark, else by its charset, else as UTF-8.
 *
 * @param bytes The body.
 * @param charset The charset that the Content-Type names.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): DecodedText {
  const marked = charsetOfMark(bytes);
  if (marked === "utf-8" || (!marked && isUtf8(charset))) return { text: UTF8.decode(bytes) };
  const label = marked ?? charset ?? "utf-8";
  const decoder = decoderFor(label);
  if (decoder) return { text: repair(decoder.decode(bytes), decoder.encoding) };
  const warning = `The charset "${label}" is not known here: the body is read as UTF-8`;
  return { text: UTF8.decode(bytes), warning };
}

/** Says whether a charset can be decoded here. */
export function isKnownCharset(charset: string | undefined): boolean {
  return isUtf8(charset) || decoderFor(charset ?? "") !== undefined;
}

function isUtf8(charset: string | undefined): boolean {
  return charset === undefined || /^utf-?8$/i.test(charset);
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
    // A RangeError: the label is unknown to this runtime, which the caller says in a warning.
    return undefined;
  }
}

function repair(text: string, encoding: string): string {
  if (encoding !== "windows-1252") return text;
  return text.replace(/[\u0080-\u009f]/g, (c) => WINDOWS_1252.charAt(c.charCodeAt(0) - 0x80));
}
