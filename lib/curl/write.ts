import { HIDDEN } from "../secrets/mod.ts";
import { toBase64, writePiped } from "./piped.ts";

/**
 * Writes a request as a curl command for a POSIX shell, with one option per line.
 *
 * @param request Its texts are templates: double braces that are not a placeholder are escaped.
 */
export function writeCurl(request: WrittenRequest): string {
  const { method, url, headers, body, follows } = request;
  const piped = body !== undefined && needsPipe(body) ? writePiped(body) : "";
  const parts = [`curl${isGlob(url) ? " -g" : ""} ${quoteTemplate(url)}`];
  const usual = body === undefined ? "GET" : "POST";
  // With -X HEAD, curl would wait for a body.
  if (method === "HEAD" && body === undefined) parts.push("-I");
  else if (method !== usual) parts.push(`-X ${quoteWord(method)}`);
  if (follows) parts.push("-L");
  for (const header of headers) {
    const [name, value] = header;
    const pair = basicPair(header);
    if (pair !== undefined) parts.push(`-u ${quoteTemplate(pair)}`);
    else parts.push(`-H ${quoteTemplate(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (body !== undefined && !hasHeader(request, "content-type")) parts.push("-H 'Content-Type:'");
  if (piped !== "") parts.push("--data-binary @-");
  else if (typeof body === "string") parts.push(`--data-raw ${quoteTemplate(body)}`);
  return piped + parts.join(" \\\n  ");
}

/** The length of an argument is limited, in Linux to 128 KiB. */
const ARGUMENT_LIMIT = 30_000;

/** Whether a body cannot be an argument of a command for any POSIX shell. */
function needsPipe(body: string | Uint8Array): boolean {
  return typeof body !== "string" || body.length > ARGUMENT_LIMIT || CONTROL.test(body);
}

/** Whether curl would expand a URL to several requests. */
function isGlob(url: string): boolean {
  return /[[\]{}]/.test(url);
}

/** Writes a request as a `fetch` call for a module. */
export function writeFetch(request: WrittenRequest): string {
  const { method, url, headers, body } = request;
  const lines: string[] = [];
  if (method !== "GET") lines.push(`  method: ${quote(method)},`);
  if (headers.length > 0) {
    const names = headers.map(([name]) => name.toLowerCase());
    const isUnique = new Set(names).size === names.length;
    lines.push(isUnique ? "  headers: {" : "  headers: [");
    for (const header of headers) {
      const [name, value] = header;
      const basic = basicPair(header);
      const written =
        basic === undefined ? quoteBytes(value) : `"Basic " + btoa(${quoteBytes(basic)})`;
      const pair = isUnique ? `${quote(name)}: ${written}` : `[${quote(name)}, ${written}]`;
      lines.push(`    ${pair},`);
    }
    lines.push(isUnique ? "  }," : "  ],");
  }
  if (typeof body === "string") {
    // fetch adds a Content-Type to a string, but not to bytes.
    const isTyped = hasHeader(request, "content-type");
    lines.push(`  body: ${isTyped ? quote(body) : `new TextEncoder().encode(${quote(body)})`},`);
  }
  if (body instanceof Uint8Array) {
    const bytes = `Uint8Array.from(atob(${quote(toBase64(body))}), (sign) => sign.charCodeAt(0))`;
    lines.push(`  body: ${bytes},`);
  }
  if (lines.length === 0) return `await fetch(${quote(url)});`;
  return [`await fetch(${quote(url)}, {`, ...lines, "});"].join("\n");
}

/** Quotes a header value as a byte string of its UTF-8 form; what stands for masked values is kept. */
function quoteBytes(value: string): string {
  const bytes = value
    .split(HIDDEN)
    .map((text) =>
      Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""),
    );
  return quote(bytes.join(HIDDEN)).replace(
    /[\x80-\xff]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** JSON is JavaScript, except that `__proto__` in an object literal sets the prototype. */
function quote(text: string): string {
  return text === "__proto__" ? '["__proto__"]' : JSON.stringify(text);
}

/** A request to write, without its secrets. */
export interface WrittenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | undefined;
  /** Whether redirects were followed. */
  readonly follows?: boolean;
}

/** Whether a text consists of placeholders. */
export function isPlaceholders(text: string): boolean {
  return /^(?:\{\{[^{}]+\}\})+$/.test(text);
}

/** `name:password` of `Authorization: Basic name {{password}}`, which is not a valid header. */
function basicPair([name, value]: readonly [string, string]): string | undefined {
  if (name.toLowerCase() !== "authorization") return undefined;
  const [, user, password = ""] = /^Basic (\S+) (\S.*)$/i.exec(value) ?? [];
  return user !== undefined && isPlaceholders(password) ? `${user}:${password}` : undefined;
}

/** Whether a request has a header. */
function hasHeader({ headers }: WrittenRequest, lowerName: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === lowerName);
}

const PLAIN = /^[\w@%+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for them
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]|\n###/;

/**
 * Quotes a template as one word of a POSIX shell, for a shell and for {@link splitWords}. Escaped double braces are
 * divided between two quoted strings, which a shell joins and no placeholder spans.
 */
function quoteTemplate(template: string): string {
  const pieces = template.split("\\{{");
  return pieces
    .map((piece, at) =>
      quoteWord(`${at > 0 ? "{" : ""}${piece}${at < pieces.length - 1 ? "{" : ""}`),
    )
    .join("");
}

/**
 * Quotes text without NUL as one word of a POSIX shell. Control characters need `$'…'`, which bash, zsh and ksh
 * support; so does a line `###`, which would end the request in a file.
 */
export function quoteWord(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const quoted = text
    .replace(/[\\']/g, "\\$&")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
    .replace(/[\x00-\x1f\x7f]/g, (sign) =>
      sign === "\n" ? "\\n" : `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
  return `$'${quoted}'`;
}
