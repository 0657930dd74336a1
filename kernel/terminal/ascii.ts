import { graphemes, graphemeWidth } from "../../lib/display/mod.ts";

/** ASCII replacements of the same width. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  "─": "-",
  "│": "|",
  "·": "-",
  "•": "*",
  "…": "~",
  "→": ">",
  "–": "-",
  "—": "-",
  "‹": "<",
  "›": ">",
  "“": '"',
  "”": '"',
  "‘": "'",
  "’": "'",
};

/** Replaces each character that is not ASCII by text of the same width. */
export function toAscii(text: string): string {
  if (!/[^\p{ASCII}]/u.test(text)) return text;
  let result = "";
  for (const { segment } of graphemes(text)) result += toAsciiCharacter(segment);
  return result;
}

function toAsciiCharacter(character: string): string {
  if (/^\p{ASCII}*$/u.test(character)) return character;
  const replacement = REPLACEMENTS[character];
  if (replacement !== undefined) return replacement;
  // Letters lose their diacritics: é becomes e.
  const [base = ""] = character.normalize("NFD");
  if (/^[A-Za-z]$/.test(base)) return base;
  return "?".repeat(Math.max(1, graphemeWidth(character)));
}

/** Whether the locale has no Unicode. Without a locale, terminals support it today. */
export function isAsciiLocale(environment: Readonly<Record<string, string | undefined>>): boolean {
  const named = [environment["LC_ALL"], environment["LC_CTYPE"], environment["LANG"]];
  const locale = named.find((name) => name !== undefined && name !== "");
  return locale !== undefined && !/utf-?8/i.test(locale);
}
