import { graphemes, graphemeWidth } from "../../lib/display/mod.ts";

/** ASCII replacements of the same width. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  "─": "-",
  "█": "#",
  "░": ".",
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

/** Where a command writes to. */
interface Stream {
  readonly isTerminal: boolean;
  readonly write: (text: string, atOnce?: boolean) => void;
}

/** The same platform, whose terminals get only ASCII; what is piped or written to a file stays as it is. */
export function withAsciiOutput<S extends Stream, P extends { stdout: S; stderr: S }>(
  platform: P,
): P {
  const convert = (stream: S): S =>
    stream.isTerminal
      ? { ...stream, write: (text, atOnce) => stream.write(toAscii(text), atOnce) }
      : stream;
  return { ...platform, stdout: convert(platform.stdout), stderr: convert(platform.stderr) };
}
