/** The number of bytes of a body that are searched for secrets, and decide its charset, before a program reads its text. */
export const LOOKED_AT = 1_048_576;

/** A parsed Content-Type. */
export interface MediaType {
  /** `type/subtype` in lower case, or an empty string. */
  readonly essence: string;
  /** The `charset` parameter, or `undefined`. */
  readonly charset: string | undefined;
}

/** The last valid one of several, as browsers read it (Fetch Standard, "extract a MIME type"). */
function lastMediaType(list: string, chosen: string | undefined): MediaType {
  const types = (list.match(/(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g) ?? [])
    .map((one) => parseMediaType(one, chosen))
    .filter(({ essence }) => essence !== "" && essence !== "*/*");
  const last = types.at(-1) ?? { essence: "", charset: chosen };
  const named = types.findLast((it) => it.essence === last.essence && it.charset !== undefined);
  return named ?? last;
}

const ESSENCE = /^[ \t]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;

/**
 * Parses a Content-Type (RFC 9110, 8.3); a missing or invalid one has no essence.
 *
 * @param chosen A charset that replaces its own.
 */
export function parseMediaType(contentType: string | null, chosen?: string): MediaType {
  if (contentType === null) return { essence: "", charset: chosen };
  if (contentType.includes(",")) return lastMediaType(contentType, chosen);
  const charset = CHARSET.exec(contentType);
  return {
    essence: ESSENCE.exec(contentType)?.[1]?.toLowerCase() ?? "",
    charset: chosen ?? charset?.[2] ?? charset?.[1]?.replace(/\\(.)/g, "$1"),
  };
}

/** The text of a body, and how it was decoded. */
export interface DecodedText {
  readonly text: string;
  /** The charset, as the Encoding Standard names it. */
  readonly charset: string;
  /** What a person has to know: bytes that do not fit, a charset that is unknown or was guessed. */
  readonly warning?: string;
}

const UTF_8 = "utf-8";

const CHOICE = 'write "# @charset NAME" above the request to read it as another';

/**
 * Decodes a body by its byte order mark, or else by the charset of its Content-Type, or else by the one that the
 * document itself declares (XML 1.0, appendix F; HTML Standard, 13.2.3.2; CSS Syntax, 3.2), or else as UTF-8; and if that
 * does not fit its beginning, as windows-1252, as browsers do.
 *
 * @param bytes The body.
 * @param type Its media type, and the charset that its Content-Type or a person names.
 * @param isWhole Whether the last character is complete; by default, if they are not the beginning of a long body.
 */
export function decodeText(
  bytes: Uint8Array,
  { essence, charset: label }: MediaType,
  isWhole: boolean = bytes.length < LOOKED_AT,
): DecodedText {
  const named = markOf(bytes) ?? (label === undefined ? undefined : nameOf(label));
  const declared = named ?? declaredWithin(bytes, essence);
  const charset = declared ?? UTF_8;
  const text = decode(bytes, charset, isWhole);
  const misfit = text.includes("\ufffd") ? misfitOf(bytes, text, charset) : undefined;
  const isUnknown = label !== undefined && named === undefined;
  if (misfit === undefined && !isUnknown) return { text, charset };
  // Nobody reads binary data as text, and each part of a multipart body has a charset of its own.
  if (!isText(text) || essence.startsWith("multipart/")) return { text, charset };
  const isGuessed = declared === undefined && misfit !== undefined && misfit.at < LOOKED_AT;
  const shown = isGuessed ? decode(bytes, WINDOWS_1252, isWhole) : text;
  const used = isGuessed ? WINDOWS_1252 : charset;
  const warning = isUnknown
    ? `The charset "${label}" is unknown: the body is read as ${used}`
    : isGuessed
      ? `The body names no charset and is not ${charset} (${misfit.what}): it is read as ${used}`
      : `The body is not valid ${charset} (${misfit?.what}): "\ufffd" is shown in its place`;
  return { text: shown, charset: used, warning: `${warning}; ${CHOICE}` };
}

/** Whether decoded bytes are a text: its beginning has none of the control characters that no text has. */
export function isText(decoded: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return !/[\0-\x08\x0e-\x1a]/.test(decoded.slice(0, 4096));
}

/** Whether this runtime knows a charset. */
export function isKnownCharset(label: string): boolean {
  return nameOf(label) !== undefined;
}

/** A decoder of text that arrives in chunks, by the first of them. */
export function createChunkDecoder(first: Uint8Array, type: MediaType): TextDecoder {
  return new TextDecoder(decodeText(first, type, false).charset);
}

/** `undefined` for a charset that this runtime does not know. */
function nameOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // A RangeError, which the caller warns about.
    return undefined;
  }
}

function decode(bytes: Uint8Array, charset: string, isWhole: boolean): string {
  const text = new TextDecoder(charset).decode(bytes, { stream: !isWhole });
  // Node 20 decodes 0x80 to 0x9F of windows-1252 as control characters (nodejs/node#56542).
  if (charset !== WINDOWS_1252) return text;
  return text.replace(/[\u0080-\u009f]/g, (c) => CONTROLS.charAt(c.charCodeAt(0) - 0x80));
}

const WINDOWS_1252 = "windows-1252";

/** 0x80 to 0x9F of windows-1252. */
const CONTROLS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return UTF_8;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

/** The charset that a document declares in its first bytes; what is declared in UTF-8 cannot be UTF-16. */
function declaredWithin(bytes: Uint8Array, essence: string): string | undefined {
  // Most bodies begin with a brace, and are UTF-8.
  if (bytes[0] === 0x7b && bytes[1] !== 0) return undefined;
  const head = LATIN_1.decode(bytes.subarray(0, 1024));
  // JSON, XML and HTML begin with characters of ASCII, whose other byte is NUL.
  if (/^[[{<"]\0[^\0]\0/.test(head)) return "utf-16le";
  if (/^\0[[{<"]\0[^\0]/.test(head)) return "utf-16be";
  const label =
    /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ??
    (essence === "text/css" ? /^@charset "([^"]+)";/.exec(head)?.[1] : undefined) ??
    (HTML.test(essence) || HTML_START.test(head) ? declaredInHtml(head) : undefined);
  const name = label === undefined ? undefined : nameOf(label.trim());
  return name?.startsWith("utf-16") ? UTF_8 : name;
}

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const HTML_START = /^\s*<(?:!doctype\s+html|html|head)\b/i;

/** The charset of the first `<meta>` that names a known one, outside comments. */
function declaredInHtml(head: string): string | undefined {
  const document = head.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  for (const [, tag = ""] of document.matchAll(META)) {
    const attributes = Array.from(tag.matchAll(ATTRIBUTE), ([, name = "", ...values]) => ({
      name: name.toLowerCase(),
      value: values.find((value) => value !== undefined) ?? "",
    }));
    const attribute = (wanted: string): string | undefined =>
      attributes.find(({ name }) => name === wanted)?.value;
    const isType = attribute("http-equiv")?.toLowerCase() === "content-type";
    const inContent = /charset\s*=\s*["']?([^\s"';]+)/i.exec(attribute("content") ?? "")?.[1];
    const label = attribute("charset") ?? (isType ? inContent : undefined);
    if (label !== undefined && nameOf(label) !== undefined) return label;
  }
  return undefined;
}

const META = /<meta[\s/]((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** What does not fit a charset, of a text that has U+FFFD; `undefined` if the body itself has that character. */
function misfitOf(
  bytes: Uint8Array,
  text: string,
  charset: string,
): { readonly at: number; readonly what: string } | undefined {
  if (charset !== UTF_8) {
    const count = text.split("\ufffd").length - 1;
    return { at: 0, what: count === 1 ? "1 character" : `${count} characters` };
  }
  // All characters before are valid, so that their length is that of their bytes.
  let at = markOf(bytes) === UTF_8 ? 3 : 0;
  let from = 0;
  for (let index = text.indexOf("\ufffd"); index !== -1; index = text.indexOf("\ufffd", from)) {
    at += encoder.encode(text.slice(from, index)).length;
    const isItself = bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    if (!isItself) {
      const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
      return { at, what: `0x${byte} at byte ${at}` };
    }
    at += 3;
    from = index + 1;
  }
  return undefined;
}

const encoder = new TextEncoder();
const LATIN_1 = new TextDecoder("latin1");
