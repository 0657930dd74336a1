import { eastAsianWidth } from "get-east-asian-width";

// string-width knows the same and more, yet its regular expressions and its segmenter cost every
// start of the program 25 ms, as much as all the rest. Here both wait for the first text that is not ASCII.
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2400-\u257f]*$/;
let segmenter: Intl.Segmenter | undefined;
let invisible: RegExp | undefined;
let emoji: RegExp | undefined;
let beside: RegExp | undefined;

/** How many columns a terminal gives to a text without control characters. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

/** The text, cut to at most so many columns; what is cut is replaced by `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (text.length <= columns && NARROW.test(text)) return text;
  // A grapheme of no width is rare; text far longer than the columns is not looked at to its end.
  const head = text.slice(0, columns * 16 + 64);
  let width = 0;
  let fitting = 0;
  for (const { segment, index } of graphemes(head)) {
    width += graphemeWidth(segment);
    if (width > columns) return `${head.slice(0, fitting)}…`;
    if (width < columns) fitting = index + segment.length;
  }
  return head.length === text.length ? text : `${head.slice(0, fitting)}…`;
}

/** The text with blanks up to so many columns, behind it or before it. */
export function padToWidth(text: string, columns: number, side: "left" | "right"): string {
  const blanks = " ".repeat(Math.max(0, columns - textWidth(text)));
  return side === "left" ? blanks + text : text + blanks;
}

/** V8's segmenter takes longer for each piece of a longer text. */
const WINDOW = 512;

/** The pieces of a text that a person takes for one character. */
export function* graphemes(text: string): Generator<{ segment: string; index: number }> {
  segmenter ??= new Intl.Segmenter();
  let size = WINDOW;
  for (let start = 0; start < text.length; ) {
    // Half a character says nothing of what it joins.
    const isHalf = (text.charCodeAt(start + size - 1) & 0xfc00) === 0xd800;
    const end = start + size + (isHalf ? 1 : 0);
    let next = start;
    for (const { segment, index } of segmenter.segment(text.slice(start, end))) {
      // The last one may go on behind the window: the next window begins with it.
      if (end < text.length && start + index + segment.length === end) break;
      yield { segment, index: start + index };
      next = start + index + segment.length;
    }
    size = next === start ? size * 2 : WINDOW;
    start = next;
  }
}

/** How many columns one grapheme takes. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && NARROW.test(grapheme)) return 1;
  invisible ??= /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}]*$/u;
  if (invisible.test(grapheme)) return 0;
  // An emoji by itself, a flag, one asked for by a variation selector, a key cap, a joined sequence.
  emoji ??= /^(?!\p{RI}$)\p{Emoji_Presentation}|^\p{Emoji}.*[\ufe0f\u20e3\u200d]/su;
  if (emoji.test(grapheme)) return 2;
  // Vowel signs that stand beside their letter, and the sound marks of halfwidth kana.
  beside ??= /(?<=.)[\p{Mc}\uff9e\uff9f]/gsu;
  const marks = grapheme.match(beside)?.length ?? 0;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0) + marks;
}
