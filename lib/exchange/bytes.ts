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
  return fromBinary(atob(text));
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

/** The bytes of a text of which each character is one: the inverse of {@link toBinary}. */
export function fromBinary(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
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
