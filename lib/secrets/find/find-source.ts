import type { NameRule } from "../names/mod.ts";
import {
  CREDENTIAL_HEADERS,
  type Found,
  isCredentialHeader,
  isHidden,
  secretsOfHeader,
} from "../names/mod.ts";
import { findInPairs, plainTextOf } from "./find-pairs.ts";
import { findInForm, findUrlsIn } from "./find-url.ts";

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
const LITERAL = new RegExp(String.raw`${quoted(1)}|\b(\d[\d.]*)\b`, "g");
const VARIABLE_LINE =
  /^[ \t]*(?:@|\.set[ \t]+(--secret[ \t]+)?)([\w-]+)[ \t]*[=\s][ \t]*(\S[^\r\n]*)$/gm;
const HEADER_LINE = /^[ \t]*(\.header[ \t]+)?([\w-]{1,80})[ \t]*:[ \t]*(\S.*)$/;
const REQUEST_LINE = /^[ \t]*[A-Z][A-Z-]{1,20}[ \t]+\S/;
const FORM_LINE = /^[ \t]*[\w.%[\]-]{1,64}=[^\s"'`(){};,]*$/;
const HEADER_PAIR = new RegExp(
  String.raw`\b(${HEADER_NAMES})["'\x60]?\s*[:,]\s*${quoted(2)}`,
  "gi",
);
/** `auth: { type: "apiKey", name: "X-Key", value: "…" }`: only the object has a secret name. */
const VALUE = new RegExp(
  String.raw`(?<![\w-])([\w-]{1,200})["'\x60]?\s*[:=]\s*\{(?:\{\{[^{}]{0,200}\}\}|[^{}]){0,2000}?\bvalue["'\x60]?\s*:\s*${quoted(2)}`,
  "g",
);

/** The credentials in the headers of HTTP messages that a text contains. */
export function findInHeaderLines(text: string, found: Found): void {
  for (const line of text.split(LINE_END)) {
    const [, , name = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    if (!isCredentialHeader(name)) continue;
    for (const secret of secretsOfHeader(name, value.trim())) found(secret);
  }
}

const LINE_END = /\r?\n/;

/**
 * The secrets that a person has written into a cell, before it has been run.
 *
 * @param shortestCookie The length from which on the value of a cookie is a secret.
 */
export function findInSource(
  code: string,
  isSecretName: NameRule,
  found: Found,
  shortestCookie?: number,
): void {
  const literal = (text: string, placeholder?: string): void => {
    if (isHidden(text) || text.includes("${")) return;
    found(plainTextOf(text), placeholder);
  };
  const header = (name: string, value: string): void => {
    if (isHidden(value)) return;
    for (const text of secretsOfHeader(name, value, shortestCookie)) literal(text);
  };
  // Most requests contain neither a literal nor a variable line, and every cell is searched.
  if (/["'`]/.test(code)) findInLiterals(code, isSecretName, literal, header);
  if (/^[ \t]*[@.]/m.test(code)) findInVariableLines(code, isSecretName, literal);
  let isHead = false;
  for (const line of code.split(LINE_END)) {
    if (REQUEST_LINE.test(line)) isHead = true;
    else if (line.trim() === "") isHead = false;
    const [, command, name = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    // Elsewhere `token: String!` is a type, and `token: response.token` a member.
    const isHeader = command !== undefined || isHead;
    if (isCredentialHeader(name) || (isHeader && isSecretName(name))) header(name, value.trim());
    if (/[?&=]|:\/\//.test(line)) findUrlsIn(line, isSecretName, (text) => literal(text));
    if (FORM_LINE.test(line)) findInForm(line, isSecretName, (text) => literal(text));
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
    for (const [, , value, digits = ""] of values) literal(value ?? digits);
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
