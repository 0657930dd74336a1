import type { NameRule } from "../names/mod.ts";
import { CREDENTIAL_HEADERS, type Found, isHidden, secretsOfHeader } from "../names/mod.ts";
import { findInPairs, plainTextOf } from "./find-pairs.ts";
import { findUrlsIn } from "./find-url.ts";

// Stops `setVar("k", "…", { secret: true })`, `.set token …`, `@token = …`, `Authorization: …` and
// `auth: { type: "apiKey", value: "…" }` in cells that are saved or shown.

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
/** `auth: { type: "apiKey", name: "X-Key", value: "…" }`: only the object has a name that says so. */
const VALUE = new RegExp(
  String.raw`(?<![\w-])([\w-]{1,200})["'\x60]?\s*[:=]\s*\{(?:\{\{[^{}]{0,200}\}\}|[^{}]){0,2000}?\bvalue["'\x60]?\s*:\s*${quoted(2)}`,
  "g",
);

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
    found(plainTextOf(text), placeholder);
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
  for (const [, name = "", , value = ""] of code.matchAll(VALUE)) {
    if (isSecretName(name)) literal(value);
  }
  findInPairs(code, isSecretName, (value) => literal(value));
}

function findInVariableLines(code: string, isSecretName: NameRule, literal: Found): void {
  for (const [, flag, name = "", value = ""] of code.matchAll(VARIABLE_LINE)) {
    if (flag !== undefined || isSecretName(name)) literal(value.trim(), `{{${name}}}`);
  }
}
