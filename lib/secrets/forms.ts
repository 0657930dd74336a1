import { unescaped, unquoted } from "./unescape.ts";
import { whyUnsafe } from "./weakness.ts";

/** Shorter stretches of base64 stand in any picture by chance. */
const SHORTEST_BASE64 = 6;
const SHORTEST_LINE = 12;

const encoder = new TextEncoder();

/**
 * Every text that a secret may be written as: plain, in a URL, in JSON once and twice, in HTML, in
 * JavaScript's quotes, in base64 with whatever stands before and behind it, and as the digits of its
 * bytes.
 */
export function formsOf(secret: string): readonly string[] {
  const forms = new Set<string>();
  for (const piece of piecesOf(secret)) {
    // A lone surrogate has no bytes: it is written as the replacement character.
    const text = piece.replace(/\p{Surrogate}/gu, "\ufffd");
    const bytes = encoder.encode(text);
    for (const form of [piece, ...inHost(text), ...inUrl(text), ...inCode(piece), ...inHex(bytes)])
      forms.add(form);
    // A byte that is escaped by itself is read as one character.
    const binary = toBinary(bytes);
    for (const form of [binary, ...inEscaped(binary)]) forms.add(form);
    for (const form of inHtml(piece)) forms.add(form);
    for (const form of inBase64(bytes)) forms.add(form);
    for (const form of inEscaped(piece)) forms.add(form);
  }
  forms.delete("");
  return [...forms];
}

function piecesOf(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  // Consoles and editors part the lines of a key; the marks around it are in every other key, too.
  const own = lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith("-----"));
  return [secret, secret.trim(), ...readFrom(secret), ...(lines.length > 1 ? own : [])];
}

/** What a server reads where the secret was put into a URL or a form as it is. */
function readFrom(secret: string): string[] {
  if (!/[%+]/.test(secret)) return [];
  const spaced = secret.replaceAll("+", " ");
  const forms = [spaced];
  for (const text of [secret, spaced]) {
    try {
      forms.push(decodeURIComponent(text));
    } catch {
      // A percent sign that begins no escape stays as it is.
    }
  }
  // What is decoded may be too short to be masked.
  return forms.filter((form) => whyUnsafe(form) === undefined);
}

// What the URL parser leaves as it is in paths, in queries and in user information
// (https://url.spec.whatwg.org/#percent-encoded-bytes), and what forms and programs leave.
const KEPT_IN_URLS: readonly RegExp[] = [
  /[!$-;=@-\]_a-z|~&]/,
  /[!$%&(-;=?-~]/,
  /[!$-.0-9A-Z_a-z~]/,
  /[A-Za-z0-9_.~-]/,
  /[A-Za-z0-9_.*-]/,
  /[A-Za-z0-9_.!~*'()-]/,
  /[A-Za-z0-9_.!~*'();/?:@&=+$,#-]/,
  /[A-Za-z0-9]/,
  /$^/,
];

function inUrl(text: string): string[] {
  return KEPT_IN_URLS.flatMap((kept) => {
    const encoded = Array.from(text, (character) =>
      kept.test(character) ? character : percent(character),
    ).join("");
    return encoded.includes("%20")
      ? [encoded, lowerHex(encoded), ...[encoded, lowerHex(encoded)].map(withPlus)]
      : [encoded, lowerHex(encoded)];
  });
}

/** The URL parser writes the name of a host in lower case. */
function inHost(text: string): string[] {
  return /^[A-Za-z0-9.-]+$/.test(text) ? [text.toLowerCase()] : [];
}

function percent(character: string): string {
  const hex = Array.from(encoder.encode(character), hexOf).join("%");
  return `%${hex}`.toUpperCase();
}

function lowerHex(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
}

function withPlus(encoded: string): string {
  return encoded.replaceAll("%20", "+");
}

function inCode(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const inAscii = toAscii(json);
  const single = json.replaceAll('\\"', '"');
  return [
    json,
    json.replaceAll("/", "\\/"),
    inAscii,
    inAscii.replace(/\\u[0-9a-f]{4}/g, (form) => `\\u${form.slice(2).toUpperCase()}`),
    json.replace(/[<>&'\u2028\u2029]/g, unicodeEscape),
    JSON.stringify(json).slice(1, -1),
    single,
    single.replaceAll("'", "\\'"),
    single.replaceAll("`", "\\`"),
    text.replaceAll("'", `'\\''`),
  ];
}

/**
 * What a secret is where the text around it has been read without its escapes, and what makes it look
 * escaped itself: the URL parser makes a slash of a backslash.
 */
function inEscaped(text: string): string[] {
  if (!/[\\%&]|""|''/.test(text)) return [];
  return [text, text.replaceAll("\\", "/"), ...readFrom(text)]
    .flatMap((form) => [unquoted(form), unescaped(form)])
    .filter((form) => form !== text && whyUnsafe(form) === undefined);
}

function toAscii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const ENTITIES: readonly Readonly<Record<string, string>>[] = [
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" },
  { "&": "&#38;", "<": "&#60;", ">": "&#62;", '"': "&#34;", "'": "&#39;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;" },
];

function inHtml(text: string): string[] {
  if (!/[&<>"']/.test(text)) return [];
  const json = JSON.stringify(text).slice(1, -1);
  return ENTITIES.flatMap((entities) =>
    [text, json].map((raw) => raw.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)),
  );
}

/**
 * Base64 packs three bytes into four characters, so a text looks different by what stands before it:
 * `user:` before a password, say. Characters that hold bits of a neighbour are left out, but for the
 * form that stands alone.
 */
function inBase64(bytes: Uint8Array): string[] {
  const alone = btoa(toBinary(bytes));
  const forms = [alone, alone.replace(/=+$/, "")];
  for (let before = 0; before < 3; before++) {
    const encoded = btoa(toBinary(new Uint8Array([...new Uint8Array(before), ...bytes])));
    const from = Math.ceil((before * 8) / 6);
    // Where nothing follows, the end is as it is here.
    forms.push(encoded.slice(from), encoded.slice(from).replace(/=+$/, ""));
    forms.push(encoded.slice(from, Math.floor(((before + bytes.length) * 8) / 6)));
  }
  const long = forms.filter((form) => form.length >= SHORTEST_BASE64);
  return long.flatMap((form) => [
    form,
    form.replaceAll("+", "-").replaceAll("/", "_"),
    // A value of a query or a form has its base64 encoded once more.
    encodeURIComponent(form),
  ]);
}

function toBinary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function inHex(bytes: Uint8Array): string[] {
  const digits = Array.from(bytes, hexOf);
  const joined = digits.join("");
  return [joined, joined.toUpperCase(), digits.join(" ")];
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
