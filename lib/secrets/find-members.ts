import type { Found } from "./find.ts";
import { isBesideSecrets, isCount } from "./leaves.ts";
import type { NameRule } from "./names.ts";

/** So many characters of an object or a list below a secret name are looked through. */
const LONGEST_BELOW = 8_192;
const LONGEST_NAME = 100;

/**
 * The secrets of a text with members of JSON, wherever they stand: texts and numbers under names
 * that say so, what is nested below such a name, and members inside a text of JSON. The text is not
 * parsed, so that a large or broken one costs no more than a pass.
 */
export function findInMembers(text: string, isSecretName: NameRule, found: Found): void {
  for (let colon = text.indexOf('":'); colon >= 0; ) {
    let next = colon + 2;
    const escapes = escapesBefore(text, colon);
    const open = text.lastIndexOf('"', colon - 1);
    if (open >= 0 && colon - open <= LONGEST_NAME) {
      const name = text.slice(open + 1, colon - escapes);
      if (isSecretName(name.includes("\\") ? unescaped(name) : name)) {
        next = Math.max(next, takeValue(text, next, escapes, !isCount(name), found));
      }
    }
    colon = text.indexOf('":', next);
  }
}

/** Takes the value from an offset on, and gives the offset behind what needs no second look. */
function takeValue(
  text: string,
  from: number,
  escapes: number,
  takesNumbers: boolean,
  found: Found,
): number {
  BLANK.lastIndex = from;
  const at = from + (BLANK.exec(text)?.[0].length ?? 0);
  const first = text[at];
  if (first === "{" || first === "[") return takeBelow(text, at, escapes, found);
  if (first === '"' || first === "\\") {
    const value = escapes === 0 ? stringAt(text, at) : escapedAt(text, at, escapes);
    if (value !== undefined) foundIn(value, escapes, found);
  } else if (takesNumbers) {
    NUMBER.lastIndex = at;
    const digits = NUMBER.exec(text)?.[0];
    if (digits !== undefined) found(digits);
  }
  return from;
}

/** All texts inside an object or a list but those that stand beside secrets. */
function takeBelow(text: string, from: number, escapes: number, found: Found): number {
  const end = Math.min(text.length, from + LONGEST_BELOW);
  const quote = escapes === 0 ? '"' : `${"\\".repeat(escapes)}"`;
  let depth = 0;
  let name: string | undefined;
  for (let at = from; at < end; at++) {
    const character = text[at];
    if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth <= 0) return at;
    } else if (character === ",") name = undefined;
    else if (text.startsWith(quote, at)) {
      const close = closeOf(text, at + quote.length, escapes);
      if (close === undefined) return at;
      const raw = text.slice(at + quote.length, close - escapes);
      at = close;
      AFTER.lastIndex = close + 1;
      if (AFTER.test(text)) name = raw;
      else if (name === undefined || !isBesideSecrets(name)) foundIn(raw, escapes, found);
    }
  }
  return end;
}

const BLANK = /\s{0,1000}/y;
const AFTER = /\s{0,1000}:/y;
const NUMBER = /-?\d[\d.eE+-]{0,400}(?=[\s,}\]]|$)/y;
const STRING = /"((?:[^"\\]|\\.){0,70000})"/y;
const LONGEST_STRING = 70_000;

function stringAt(text: string, at: number): string | undefined {
  STRING.lastIndex = at;
  return STRING.exec(text)?.[1];
}

/** A text inside a text of JSON: its quotes have as many backslashes before them as its name's. */
function escapedAt(text: string, at: number, escapes: number): string | undefined {
  const open = `${"\\".repeat(escapes)}"`;
  if (!text.startsWith(open, at)) return undefined;
  const close = closeOf(text, at + open.length, escapes);
  return close === undefined ? undefined : text.slice(at + open.length, close - escapes);
}

/** The quote that ends a text: the first that has just so many backslashes before it. */
function closeOf(text: string, from: number, escapes: number): number | undefined {
  const end = Math.min(text.length, from + LONGEST_STRING);
  for (let at = text.indexOf('"', from); at >= 0 && at < end; at = text.indexOf('"', at + 1)) {
    const before = escapesBefore(text, at);
    // In JSON itself an even number of them is a text of backslashes, which the quote ends.
    if (before === escapes || (escapes === 0 && before % 2 === 0)) return at;
    if (before < escapes) return undefined;
  }
  return undefined;
}

function escapesBefore(text: string, at: number): number {
  let count = 0;
  while (count < 15 && text.charCodeAt(at - 1 - count) === 0x5c) count += 1;
  return count;
}

/** A text as it is meant, and as it is written: escapes can be chosen at will. */
function foundIn(written: string, escapes: number, found: Found): void {
  found(unescapedBy(written, escapes));
  if (written.includes("\\")) found(written);
}

/** One backslash before a quote is one level of JSON, three are two of them. */
function unescapedBy(value: string, escapes: number): string {
  const levels = Math.round(Math.log2(escapes + 1));
  let plain = value;
  for (let level = 0; level <= levels; level++) plain = unescaped(plain);
  return plain;
}

function unescaped(value: string): string {
  if (!value.includes("\\")) return value;
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    // A text that breaks JSON's rules is looked for as it is written.
    return value;
  }
}
