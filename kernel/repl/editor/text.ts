import { graphemes } from "../../../lib/display/mod.ts";

/** A text and a place in it, as a UTF-16 offset that never lies inside a character. */
export interface Place {
  readonly text: string;
  readonly cursor: number;
}

/** What a person takes for one character is rarely longer; a text is not looked through for it. */
const LONGEST_GRAPHEME = 64;

/** The offset before the character that ends at `cursor`. */
export function before({ text, cursor }: Place): number {
  if (cursor === 0) return 0;
  const previous = text.charCodeAt(cursor - 1);
  if (previous < 0x80) return cursor - 1;
  const from = Math.max(lineStart({ text, cursor }), cursor - LONGEST_GRAPHEME);
  let last = from;
  for (const { index } of graphemes(text.slice(from, cursor))) last = from + index;
  return last;
}

/** The offset behind the character that begins at `cursor`. */
export function after({ text, cursor }: Place): number {
  if (cursor >= text.length) return text.length;
  if (text.charCodeAt(cursor) < 0x80 && !(text.charCodeAt(cursor + 1) >= 0x80)) return cursor + 1;
  for (const { segment } of graphemes(text.slice(cursor, cursor + LONGEST_GRAPHEME))) {
    return cursor + segment.length;
  }
  return text.length;
}

/** Where the line of the cursor begins. */
export function lineStart({ text, cursor }: Place): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

/** Where the line of the cursor ends, before its line break. */
export function lineEnd({ text, cursor }: Place): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

const WORD = /[\p{L}\p{N}_]/u;

/** Where the word before the cursor begins. */
export function wordStart({ text, cursor }: Place): number {
  const head = text.slice(0, cursor);
  const found = /[\p{L}\p{M}\p{N}_]+[^\p{L}\p{M}\p{N}_]*$/u.exec(head.slice(-2000));
  return found === null ? 0 : cursor - found[0].length;
}

/** Where the word behind the cursor ends. */
export function wordEnd({ text, cursor }: Place): number {
  const found = /^[^\p{L}\p{M}\p{N}_]*[\p{L}\p{M}\p{N}_]+/u.exec(text.slice(cursor, cursor + 2000));
  return found === null ? text.length : cursor + found[0].length;
}

/** Where the run of characters without blanks before the cursor begins, as Ctrl-W has it. */
export function blankStart({ text, cursor }: Place): number {
  const found = /\S+\s*$/.exec(text.slice(Math.max(0, cursor - 2000), cursor));
  return found === null ? 0 : cursor - found[0].length;
}

/** Whether a character can be part of a name. */
export function isWordCharacter(character: string): boolean {
  return WORD.test(character);
}

/** The place one line up or down at the same distance from its begin, or nothing. */
export function vertical(place: Place, lines: -1 | 1, goal?: number): number | undefined {
  const { text } = place;
  const start = lineStart(place);
  const column = goal ?? place.cursor - start;
  const end = lineEnd(place);
  if (lines === -1 && start === 0) return undefined;
  if (lines === 1 && end === text.length) return undefined;
  const other = lines === -1 ? lineStart({ text, cursor: start - 1 }) : end + 1;
  const limit = lineEnd({ text, cursor: other });
  const target = Math.min(other + column, limit);
  // The goal may lie inside a character.
  return target === other || target === limit
    ? target
    : before({ text, cursor: after({ text, cursor: target }) });
}

/** Pasted or edited text as an entry holds it: line feeds, and no character that acts. */
export function toEntryText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");
}
