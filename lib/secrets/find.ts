import { CREDENTIAL_HEADERS, secretsOfHeader } from "./headers.ts";
import { isHidden } from "./hidden.ts";
import type { NameRule } from "./names.ts";
import { decoded, findInUrls } from "./positions.ts";

/** Told of a text that is a secret, and of the placeholder that it came from, if it did. */
export type Found = (text: string, placeholder?: string) => void;

/** The secrets of a URL: user information, and parameters whose names say so, as they are and decoded. */
export function findInUrl(url: string, isSecretName: NameRule, found: Found): void {
  // Most URLs are passed over at once: every request comes by here.
  if (!/[@?#]/.test(url)) return;
  const [, authority = "", query, fragment] =
    /^(?:[^:/?#]*:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#([\s\S]*))?/.exec(url) ?? [];
  const end = authority.lastIndexOf("@");
  if (end > 0) findInUserInfo(authority.slice(0, end), found);
  if (query !== undefined) findInForm(query, isSecretName, found);
  if (fragment !== undefined) findInForm(fragment, isSecretName, found);
}

/** The name of a user is no secret by itself, unless it is a token that needs no password. */
function findInUserInfo(info: string, found: Found): void {
  const colon = info.indexOf(":");
  if (colon < 0 && info.length < SHORTEST_TOKEN) return;
  const secret = info.slice(colon + 1);
  found(secret);
  found(decodedPlainly(secret));
}

const SHORTEST_TOKEN = 16;

function decodedPlainly(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Broken escapes are taken as they stand.
    return text;
  }
}

/** The secrets of URLs that stand in a text of any kind. */
function findUrlsIn(text: string, isSecretName: NameRule, found: Found): void {
  for (const { start, end } of findInUrls(text, isSecretName)) {
    const value = text.slice(start, end);
    if (text[end] === "@") findInUserInfo(value, found);
    else {
      found(value);
      found(decoded(value));
    }
  }
}

/**
 * Whether a member of a JSON text may have a secret name, at a fraction of what parsing it costs:
 * most answers have none. A name that is written with escapes may be any.
 */
export function mayNameSecret(text: string, isSecretName: NameRule): boolean {
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let end = colon - 1;
    while (end >= 0 && text.charCodeAt(end) <= 0x20) end--;
    if (text.charCodeAt(end) !== QUOTE) continue;
    const open = text.lastIndexOf('"', end - 1);
    if (open < 0) continue;
    const name = text.slice(open + 1, end);
    if (name.includes("\\") || text[open - 1] === "\\" || isSecretName(name)) return true;
  }
  return false;
}

const QUOTE = 0x22;
function unescaped(value: string): string {
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    // A string that breaks JSON's rules is looked for as it is written.
    return value;
  }
}

/** The secrets of a form (`application/x-www-form-urlencoded`). */
export function findInForm(text: string, isSecretName: NameRule, found: Found): void {
  // One by one: a list of the pairs of a large form would be far larger than itself.
  for (const [, name = "", value = ""] of text.trim().matchAll(FORM_PAIR)) {
    if (!isSecretName(decoded(name))) continue;
    found(value);
    found(decoded(value));
    found(decodedPlainly(value));
  }
}

const FORM_PAIR = /(?<=^|[&;])([^=&;]+)=([^&;]*)/g;

const HEADER_NAMES = CREDENTIAL_HEADERS.join("|");
const QUOTED = String.raw`(["'\x60])((?:\\.|(?!\QUOTE)[^\\\r\n]){1,4000})\QUOTE`;
const quoted = (group: number): string => QUOTED.replaceAll("QUOTE", String(group));

const SET_VARIABLE = new RegExp(
  String.raw`\bsetVar\(\s*${quoted(1)}\s*,\s*${quoted(3)}(\s*,\s*\{[^{}]{0,200}\bsecret\s*:\s*true)?`,
  "g",
);
const SET_SECRET = /\bsetVar\(((?:(?!setVar\()[\s\S]){0,4000}?)\{[^{}]{0,200}?\bsecret\s*:\s*true/g;
const LITERAL = new RegExp(quoted(1), "g");
const VARIABLE_LINE =
  /^[ \t]*(?:@|\.set[ \t]+(--secret[ \t]+)?)([\w-]+)[ \t]*[=\s][ \t]*(\S[^\r\n]*)$/gm;
const HEADER_LINE = new RegExp(
  String.raw`^[ \t]*(?:\.header[ \t]+)?(${HEADER_NAMES})[ \t]*:[ \t]*(\S[^\r\n]*)$`,
  "gim",
);
const HEADER_PAIR = new RegExp(
  String.raw`\b(${HEADER_NAMES})["'\x60]?\s*[:,]\s*${quoted(2)}`,
  "gi",
);
const PAIR = new RegExp(String.raw`(?<![\w-])([\w-]{1,200})["'\x60]?\s*[:=]\s*${quoted(2)}`, "g");
/** `auth: { type: "apiKey", name: "X-Key", value: "…" }`: only the object has a name that says so. */
const VALUE = new RegExp(
  String.raw`(?<![\w-])([\w-]{1,200})["'\x60]?\s*[:=]\s*\{(?:\{\{[^{}]{0,200}\}\}|[^{}]){0,2000}?\bvalue["'\x60]?\s*:\s*${quoted(2)}`,
  "g",
);

/** The secrets of assignments and of members without quotes around their names, as code has them. */
export function findInPairs(text: string, isSecretName: NameRule, found: Found): void {
  for (const [, name = "", , value = ""] of text.matchAll(PAIR)) {
    if (!isSecretName(name)) continue;
    found(value);
    if (value.includes("\\")) found(unescaped(value.replace(/\\(['`])/g, "$1")));
  }
}

/** The credentials of a message of HTTP that stands in a text. */
export function findInHeaderLines(text: string, found: Found): void {
  for (const [, name = "", value = ""] of text.matchAll(HEADER_LINE)) {
    for (const secret of secretsOfHeader(name, value.trim())) found(secret);
  }
}

/** The secrets that a person has written into a cell, before it has been run. */
export function findInSource(code: string, isSecretName: NameRule, found: Found): void {
  const literal = (text: string, placeholder?: string): void => {
    if (isHidden(text) || text.includes("${")) return;
    found(text, placeholder);
    if (text.includes("\\")) found(unescaped(text.replace(/\\(['`])/g, "$1")), placeholder);
  };
  const header = (name: string, value: string): void => {
    if (!isHidden(value)) for (const text of secretsOfHeader(name, value)) literal(text);
  };
  // Most requests hold neither a literal nor a variable line, and every cell comes by here.
  if (/["'`]/.test(code)) findInLiterals(code, isSecretName, literal, header);
  if (/^[ \t]*[@.]/m.test(code)) findInVariableLines(code, isSecretName, literal);
  for (const [, name = "", value = ""] of code.matchAll(HEADER_LINE)) header(name, value.trim());
  if (!/[=@]/.test(code)) return;
  for (const line of code.split("\n")) {
    if (/[?&=]|:\/\//.test(line)) findUrlsIn(line, isSecretName, (text) => literal(text));
  }
}

function findInLiterals(
  code: string,
  isSecretName: NameRule,
  literal: Found,
  header: (name: string, value: string) => void,
): void {
  for (const [, , name = "", , value = "", flag] of code.matchAll(SET_VARIABLE)) {
    if (flag !== undefined || isSecretName(name)) literal(value, `{{${name}}}`);
  }
  for (const [, inside = ""] of code.matchAll(SET_SECRET)) {
    const [, ...values] = inside.matchAll(LITERAL);
    for (const [, , value = ""] of values) literal(value);
  }
  for (const [, name = "", , value = ""] of code.matchAll(HEADER_PAIR)) header(name, value);
  for (const pattern of [PAIR, VALUE]) {
    for (const [, name = "", , value = ""] of code.matchAll(pattern)) {
      if (isSecretName(name)) literal(value);
    }
  }
}

function findInVariableLines(code: string, isSecretName: NameRule, literal: Found): void {
  for (const [, flag, name = "", value = ""] of code.matchAll(VARIABLE_LINE)) {
    if (flag !== undefined || isSecretName(name)) literal(value.trim(), `{{${name}}}`);
  }
}
