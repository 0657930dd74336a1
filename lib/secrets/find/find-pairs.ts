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
const BLANKS = /[ \t]{0,100}/y;
const BARE_END = /[\s"'`{}[\],;|>]|$/g;
const SHORTEST_BARE = 8;
const LONGEST_BARE = 16_384;
/** What may follow a value without quotes on its line: a comma and a comment. */
const LINE_END = /,?[ \t]{0,100}(?:#[^\r\n]{0,1000})?$/my;

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
  const bareValueAt = kind === "bare" ? createBareReader(text) : () => undefined;
  for (let pair = names.exec(text); pair !== null; pair = names.exec(text)) {
    const name = pair[1] ?? pair[2] ?? pair[3] ?? "";
    if (!isSecretName(plainTextOf(name))) continue;
    const start = names.lastIndex;
    const [whole, double, single, template, digits] = matchAt(QUOTED, text, start) ?? [];
    if (whole === undefined) {
      const bare = bareValueAt(start);
      // A name inside the value is not searched for: each would have the rest of the value as its own.
      if (bare !== undefined) names.lastIndex = bare.end;
      yield bare ?? { start, end: start, value: "" };
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

/**
 * Reads values without quotes at the end of a line, at places that do not decrease. The characters up to
 * the end of a value are searched once, however many names are among them.
 */
function createBareReader(text: string): (start: number) => Pair | undefined {
  let searched = 0;
  let end = 0;
  return (place) => {
    const start = place + (matchAt(BLANKS, text, place)?.[0].length ?? 0);
    if (start >= searched) {
      searched = matchAt(BARE_END, text, start)?.index ?? text.length;
      end = endOfBare(text, start, searched);
    }
    const length = end - start;
    if (length < SHORTEST_BARE || length > LONGEST_BARE) return undefined;
    const value = text.slice(start, end);
    return looksSecret(value) ? { start, end, value } : undefined;
  };
}

/** Where a value without quotes ends: before a comment at the latest; `start` if it does not end its line. */
function endOfBare(text: string, start: number, end: number): number {
  if (matchAt(LINE_END, text, end) !== null) return end;
  const comment = start + text.slice(start, end).lastIndexOf("#");
  return comment > start && matchAt(LINE_END, text, comment) !== null ? comment : start;
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

/** Whether a value is unlike a word: in prose, `Password: incorrect` mentions a password without giving it. */
export function looksSecret(value: string): boolean {
  return !/\s/.test(value) && ((value.length >= 8 && /\d/.test(value)) || value.length >= 20);
}
