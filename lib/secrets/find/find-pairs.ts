import type { Found, NameRule, Stretch } from "../names/mod.ts";
import { isCount } from "./secret-values.ts";

// Stops `"token": "…"` of JSON, whole or cut, of JSON Lines and events, `apiKey = '…'` of programs,
// `login(password: "…")` of GraphQL, `DB_PASSWORD=…` of environment files and `token: …` of YAML.

const NAME =
  /(?:"((?:[^"\\\r\n]|\\.){1,100})"|'([^'\\\r\n]{1,100})'|(?<![\w$.-])([\w$.-]{1,100}))\s{0,100}[:=]/g;
// A secret has at most 16,384 characters, and each of them may be an escape of two.
const VALUE =
  /\s{0,100}(?:"((?:[^"\\]|\\.){0,16384})"|'((?:[^'\\\r\n]|''|\\.){0,16384})'|`((?:[^`\\]|\\.){0,16384})`|(-?\d[\d.]{0,30})(?=\s{0,20}[,}\]]))/y;
const STRING = /"((?:[^"\\]|\\.){1,100000})"?/g;
const LINE =
  /^[ \t]*(?:-[ \t]+){0,5}(?:export[ \t]+)?["']?([\w$./-]{1,100})["']?[ \t]*[:=][ \t]*(?:![^\s]{0,100}[ \t]+)?([^\s"'`{[|>#][^\r\n]{0,16384})$/gm;

/** A value below a secret name, and the range where it is written, without its quotes. */
export interface Pair extends Stretch {
  readonly value: string;
}

/** The pairs of a secret name and a quoted value or a number of JSON; of another value the range is empty. */
export function* pairsIn(text: string, isSecretName: NameRule): Generator<Pair, void, undefined> {
  // Copies, since a regular expression keeps its position, and the generator may be suspended.
  const names = new RegExp(NAME);
  const values = new RegExp(VALUE);
  for (let pair = names.exec(text); pair !== null; pair = names.exec(text)) {
    const name = pair[1] ?? pair[2] ?? pair[3] ?? "";
    if (!isSecretName(plainTextOf(name))) continue;
    values.lastIndex = names.lastIndex;
    const match = values.exec(text);
    const [, double, single, template, digits] = match ?? [];
    const written = double ?? single ?? template ?? digits;
    if (match === null || written === undefined) {
      yield { start: names.lastIndex, end: names.lastIndex, value: "" };
      continue;
    }
    names.lastIndex = values.lastIndex;
    if (digits !== undefined && isCount(name)) continue;
    const end = values.lastIndex - (digits === undefined ? 1 : 0);
    const value = digits ?? plainTextOf(double ?? single?.replaceAll("''", "'") ?? template ?? "");
    yield { start: end - written.length, end, value };
  }
}

/**
 * The secrets of pairs of a name and a quoted value or a number of JSON.
 *
 * @returns Whether a name is secret, even if its value is not a text.
 */
export function findInPairs(text: string, isSecretName: NameRule, found: Found): boolean {
  let isNamed = false;
  for (const { value } of pairsIn(text, isSecretName)) {
    isNamed = true;
    found(value);
  }
  return isNamed;
}

/**
 * The secrets of lines that consist of a name and a value without quotes.
 *
 * @param isProse Whether the lines may be sentences: then only what cannot be a word is taken.
 */
export function findInLines(
  text: string,
  isProse: boolean,
  isSecretName: NameRule,
  found: Found,
): void {
  for (const [, name = "", rest = ""] of text.matchAll(LINE)) {
    if (!isSecretName(name)) continue;
    const value = rest.replace(/\s+#.*$/, "").replace(/[,;]?\s*$/, "");
    if (!isProse || isNoWord(value)) found(value);
  }
}

/**
 * The secrets of pairs inside quoted texts: JSON in a string of JSON, arguments of GraphQL.
 *
 * @param levels How many levels of quoted texts are searched.
 * @returns Whether a name is secret, even if its value is not a text.
 */
export function findInStrings(
  text: string,
  isSecretName: NameRule,
  found: Found,
  levels: number = 2,
): boolean {
  if (levels === 0 || !text.includes('\\"')) return false;
  let isNamed = false;
  for (const [, string = ""] of text.matchAll(STRING)) {
    if (!string.includes('\\"')) continue;
    const inside = plainTextOf(string);
    if (findInPairs(inside, isSecretName, found)) isNamed = true;
    if (findInStrings(inside, isSecretName, found, levels - 1)) isNamed = true;
  }
  return isNamed;
}

/** Undoes the escapes of a quoted text. */
export function plainTextOf(quoted: string): string {
  if (!quoted.includes("\\")) return quoted;
  try {
    return JSON.parse(`"${quoted.replace(/\\(['`])/g, "$1")}"`) as string;
  } catch {
    // It breaks the rules of JSON: line ends in a template, escapes that are cut.
    return quoted.replace(/\\(["'`\\/])/g, "$1");
  }
}

/** In prose, `Password: incorrect` mentions a password without giving it. */
function isNoWord(value: string): boolean {
  return !/\s/.test(value) && ((value.length >= 8 && /\d/.test(value)) || value.length >= 20);
}
