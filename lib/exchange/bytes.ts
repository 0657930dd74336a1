/** A multiple of 3 bytes, so that the pieces of base64 can be joined. */
const CHUNK = 3 * 8_192;

/** Encodes bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // In pieces, since the characters of all bytes would take far more memory.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + CHUNK))));
  }
  return parts.join("");
}

/** Decodes base64. @throws {DOMException} It is malformed. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Each byte as one character. */
export function toBinary(bytes: Uint8Array): string {
  let binary = "";
  // Too many arguments of one call would overflow the stack.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return binary;
}

/** Bytes that are UTF-8 text, with their byte order mark; `undefined` for others, and for text with NUL. */
export function toStrictText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    // A TypeError: they are not UTF-8.
    return undefined;
  }
}

/**
 * Whether bytes contain a secret, as Latin-1 or UTF-8 text. The rows of a dump would split it, and base64
 * cannot be masked, so such bytes are not shown.
 */
export function holdSecret(bytes: Uint8Array, redact: (text: string) => string): boolean {
  return [toBinary(bytes), new TextDecoder().decode(bytes)].some((text) => redact(text) !== text);
}

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

/** A parsed Content-Type. */
export interface MediaType {
  /** `type/subtype` in lower case, or an empty string. */
  readonly essence: string;
  /** The `charset` parameter, or `undefined`. */
  readonly charset: string | undefined;
}

const ESSENCE = /^[ \t]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;

/** Parses a Content-Type (RFC 9110, 8.3); a missing or invalid one has no essence. */
export function parseMediaType(contentType: string | null): MediaType {
  if (contentType === null) return { essence: "", charset: undefined };
  const charset = CHARSET.exec(contentType);
  return {
    essence: ESSENCE.exec(contentType)?.[1]?.toLowerCase() ?? "",
    charset: charset?.[2] ?? charset?.[1]?.replace(/\\(.)/g, "$1"),
  };
}
