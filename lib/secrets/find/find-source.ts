import { isHidden } from "../search/mod.ts";
import { findInPairs, plainTextOf } from "./find-pairs.ts";
import { findInForm, findInUrls } from "./find-url.ts";
import { CREDENTIAL_HEADERS, isCredentialHeader, secretsOfHeader } from "./headers.ts";
import type { Found, NameRule } from "./names.ts";

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

/** The secrets that a person has written into a cell, before it has been run. */
export function findInSource(code: string, isSecretName: NameRule, found: Found): void {
  const literal: Found = (text, placeholder) => {
    if (isHidden(text) || text.includes("${")) return;
    found(plainTextOf(text), placeholder);
  };
  const header = (name: string, value: string): void => {
    if (isHidden(value)) return;
    for (const text of secretsOfHeader(name, value)) literal(text);
  };
  // Most requests contain neither a literal nor a variable line, and every cell is searched.
  if (/["'`]/.test(code)) {
    findInSetVar(code, isSecretName, literal);
    for (const [, name = "", , value = ""] of code.matchAll(HEADER_PAIR)) header(name, value);
    for (const [, name = "", , value = ""] of code.matchAll(VALUE)) {
      if (isSecretName(name)) literal(value);
    }
    findInPairs(code, isSecretName, literal);
  }
  if (/^[ \t]*[@.]/m.test(code)) {
    for (const [, flag, name = "", value = ""] of code.matchAll(VARIABLE_LINE)) {
      if (flag !== undefined || isSecretName(name)) literal(value.trim(), `{{${name}}}`);
    }
  }
  let isHead = false;
  for (const line of code.split(/\r?\n/)) {
    if (REQUEST_LINE.test(line)) isHead = true;
    else if (line.trim() === "") isHead = false;
    const [, command, name = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    // Elsewhere `token: String!` is a type, and `token: response.token` a member.
    const isHeader = command !== undefined || isHead;
    const isCredential = isCredentialHeader(name, isHeader ? value : "");
    if (isCredential || (isHeader && isSecretName(name))) header(name, value.trim());
    findInUrls(line, isSecretName, literal);
    if (FORM_LINE.test(line)) findInForm(line, isSecretName, literal);
  }
}

function findInSetVar(code: string, isSecretName: NameRule, literal: Found): void {
  for (const [, , name = "", , value = "", flag] of code.matchAll(SET_VARIABLE)) {
    if (flag !== undefined || isSecretName(name)) literal(value, `{{${name}}}`);
  }
  for (const [, inside = ""] of code.matchAll(SET_SECRET)) {
    const [, ...values] = inside.matchAll(LITERAL);
    for (const [, , value, digits = ""] of values) literal(value ?? digits);
  }
}
