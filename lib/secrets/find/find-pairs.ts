import type { Stretch } from "../search/mod.ts";
import type { Found, NameRule } from "./names.ts";
import { isCount } from "./secret-values.ts";

// Stops `"token": "…"` of JSON, whole or cut, of JSON Lines and events, `apiKey = '…'` of programs,
// `login(password: "…")` of GraphQL, `DB_PASSWORD=…` of environment files and `token: …` of YAML.

const NAME =
  /(?:"((?:[^"\\\r\n]|\\.){1,100})"|'([^'\\\r\n]{1,100})'|(?<![\w$.:-])([\w$.-]{1,100}))\s{0,100}[:=]/g;
// A secret has at most 16,384 characters, and each of them may be an escape of two.
const QUOTED =
  /\s{0,100}(?:"((?:[^"\\]|\\.){0,16384})"|'((?:[^'\\\r\n]|''|\\.){0,16384})'|`((?:[^`\\]|\\.){0,16384})`|(-?\d[\d.]{0,30})(?=\s{0,20}[,}\]]))/y;
const BARE = /[ \t]{0,100}([^\s"'`{}[\],;|>]{8,16384})(?=,?[ \t]{0,100}(?:#[^\r\n]{0,1000})?$)/my;

/** A value below a secret name, and the range where it is written, without its quotes. */
export interface Pair extends Stretch {
  readonly value: string;
}

/** Whether a value is in quotes or a number of JSON, or may be the rest of a line, too. */
export type ValueKind = "quoted" | "bare";

/** The pairs of a secret name and a value; of a value of another kind the range is empty. */
export function* pairsIn(
  text: string,
  isSecretName: NameRule,
  kind: ValueKind,
): Generator<Pair, void, undefined> {
  // A copy, since a regular expression keeps its position, and the generator may be suspended.
  const names = new RegExp(NAME);
  for (let pair = names.exec(text); pair !== null; pair = names.exec(text)) {
    const name = pair[1] ?? pair[2] ?? pair[3] ?? "";
    if (!isSecretName(plainTextOf(name))) continue;
    const start = names.lastIndex;
    const [whole, double, single, template, digits] = matchAt(QUOTED, text, start) ?? [];
    if (whole === undefined) {
      const [line = "", value = ""] = (kind === "bare" ? matchAt(BARE, text, start) : null) ?? [];
      const end = start + line.length;
      yield isNoWord(value)
        ? { start: end - value.length, end, value }
        : { start, end: start, value: "" };
      continue;
    }
    names.lastIndex += whole.length;
    if (digits !== undefined && isCount(name)) continue;
    const written = digits ?? double ?? single ?? template ?? "";
    const end = names.lastIndex - (digits === undefined ? 1 : 0);
    const value = plainTextOf(single?.replaceAll("''", "'") ?? written);
    yield { start: end - written.length, end, value };
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** How many levels of JSON in strings of JSON are searched. */
const LEVELS = 3;

/**
 * The secrets of pairs of a name and a value, also of those inside quoted texts: JSON in a string of
 * JSON, arguments of GraphQL.
 *
 * @returns Whether a name is secret, even if its value is not a text.
 */
export function findInPairs(
  text: string,
  isSecretName: NameRule,
  found: Found,
  kind: ValueKind,
): boolean {
  let isNamed = false;
  let inside = text;
  for (let level = 0; level < LEVELS; level++) {
    for (const { value } of pairsIn(inside, isSecretName, kind)) {
      isNamed = true;
      found(value);
    }
    if (!inside.includes('\\"')) break;
    inside = inside.replace(/\\(["\\])/g, "$1");
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
export function isNoWord(value: string): boolean {
  return !/\s/.test(value) && ((value.length >= 8 && /\d/.test(value)) || value.length >= 20);
}
