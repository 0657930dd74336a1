/**
 * The charset that a Content-Type declares, in lower case; `undefined` for UTF-8, which is that of a text without one. A
 * body of parts has one for each part.
 */
export function charsetOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || /^multipart\//i.test(contentType)) return undefined;
  const [, quoted, token] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? [];
  const charset = (quoted ?? token)?.toLowerCase();
  return charset === undefined || /^(?:utf-?8|unicode-1-1-utf-8)$/.test(charset)
    ? undefined
    : charset;
}

/** A text in the bytes of a charset, or its first character that the charset lacks. */
export type Encoded = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly missing: string };

/**
 * Encodes a text: as UTF-8, UTF-16, or in a charset of one byte for each character. Web standards decode the others, but
 * encode UTF-8 alone.
 *
 * @param charset What {@link charsetOf} returns.
 */
export function encodeText(text: string, charset: string | undefined): Encoded {
  if (charset === undefined) return { bytes: encoder.encode(text) };
  const [, order] = /^utf-?16(le|be)?$/.exec(charset) ?? [];
  // Without an order in its name, a byte order mark says it (RFC 2781, 4.3).
  if (/^utf-?16/.test(charset)) {
    return { bytes: toUtf16(order === undefined ? `\ufeff${text}` : text, order === "be") };
  }
  const codes = tableOf(charset);
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (const character of text) {
    const code = codes.get(character);
    if (code === undefined) return { missing: character };
    bytes[length++] = code;
  }
  return { bytes: bytes.subarray(0, length) };
}

const encoder = new TextEncoder();

function toUtf16(text: string, isBigEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++)
    view.setUint16(at * 2, text.charCodeAt(at), !isBigEndian);
  return new Uint8Array(view.buffer);
}

/** The characters of windows-1252 from 0x80 on; five bytes have none. */
const WINDOWS_1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

const tables = new Map<string, ReadonlyMap<string, number>>();

/** The bytes of the characters of a charset that have one; those of ASCII for a charset that is not known. */
function tableOf(charset: string): ReadonlyMap<string, number> {
  const known = tables.get(charset);
  if (known !== undefined) return known;
  const table = new Map(Array.from(charactersOf(charset), (one, code) => [one, code] as const));
  table.delete("\ufffd");
  tables.set(charset, table);
  return table;
}

/** The character of each byte. */
function charactersOf(charset: string): readonly string[] {
  const codes = Array.from({ length: 256 }, (_, code) => code);
  const latin = codes.map((code) => String.fromCharCode(code));
  if (/^(?:iso-?8859-1|latin1|l1)$/.test(charset)) return latin;
  // Node 20 decodes the label as Latin-1.
  if (/^(?:windows-|cp|x-cp)1252$/.test(charset)) {
    return latin.map((one, code) => {
      const special = code >= 0x80 && code < 0xa0 ? WINDOWS_1252[code - 0x80] : one;
      return special === " " && code >= 0x80 ? "\ufffd" : (special ?? one);
    });
  }
  const ascii = latin.slice(0, 128);
  if (/^(?:us-)?ascii$/.test(charset)) return ascii;
  try {
    const decoder = new TextDecoder(charset);
    return codes.map((code) => decoder.decode(Uint8Array.of(code)));
  } catch {
    // A RangeError: this runtime does not know the label.
    return ascii;
  }
}

/** Why a text cannot be sent with a Content-Type. */
export function explainMissing(character: string, charset: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `Cannot encode the body in the charset "${charset}" of its Content-Type: it has no "${character}" (U+${code})`;
}
