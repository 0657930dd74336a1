import { graphemes } from "../../../lib/display/mod.ts";

/** A text and a UTF-16 offset in it, which is never inside a grapheme. */
export interface Place {
  readonly text: string;
  readonly cursor: number;
}

/** How much text is segmented around the cursor: graphemes are rarely longer. */
const LONGEST_GRAPHEME = 64;

/** Where the character before the cursor begins. */
export function before({ text, cursor }: Place): number {
  if (cursor === 0) return 0;
  const previous = text.charCodeAt(cursor - 1);
  if (previous < 0x80) return cursor - 1;
  const from = Math.max(lineStart({ text, cursor }), cursor - LONGEST_GRAPHEME);
  let last = from;
  for (const { index } of graphemes(text.slice(from, cursor))) last = from + index;
  return last;
}

/** Where the character at the cursor ends. */
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

/** Where the word before the cursor begins. */
export function wordStart({ text, cursor }: Place): number {
  const head = text.slice(0, cursor);
  const found = /[\p{L}\p{M}\p{N}_]+[^\p{L}\p{M}\p{N}_]*$/u.exec(head.slice(-2000));
  return found === null ? 0 : cursor - found[0].length;
}

/** Where the word after the cursor ends. */
export function wordEnd({ text, cursor }: Place): number {
  const found = /^[^\p{L}\p{M}\p{N}_]*[\p{L}\p{M}\p{N}_]+/u.exec(text.slice(cursor, cursor + 2000));
  return found === null ? text.length : cursor + found[0].length;
}

/** Where the run of non-blank characters before the cursor begins, for Ctrl-W. */
export function blankStart({ text, cursor }: Place): number {
  const found = /\S+\s*$/.exec(text.slice(Math.max(0, cursor - 2000), cursor));
  return found === null ? 0 : cursor - found[0].length;
}

/** The offset in the line above or below, in the same column; nothing beyond the first and the last line. */
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
  // The column may be inside a character.
  return target === other || target === limit
    ? target
    : before({ text, cursor: after({ text, cursor: target }) });
}

/** Normalizes line breaks of pasted or edited text and removes control characters. */
export function toEntryText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");
}
