import { graphemes, graphemeWidth } from "../../lib/display/mod.ts";

/** What drawings are made of, in ASCII and as wide. */
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

/** Text for a terminal that has ASCII alone: every character gets one that is as wide. */
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
  // Letters without their marks: é is read as e.
  const [base = ""] = character.normalize("NFD");
  if (/^[A-Za-z]$/.test(base)) return base;
  return "?".repeat(Math.max(1, graphemeWidth(character)));
}

/** Whether the environment's locale has no Unicode. Where it says nothing, terminals have it today. */
export function isAsciiLocale(environment: Readonly<Record<string, string | undefined>>): boolean {
  const named = [environment["LC_ALL"], environment["LC_CTYPE"], environment["LANG"]];
  const locale = named.find((name) => name !== undefined && name !== "");
  return locale !== undefined && !/utf-?8/i.test(locale);
}
