import { eastAsianWidth } from "get-east-asian-width";

// The package string-width adds 25 ms to every start of the program, for its regular expressions and its
// segmenter. Here both are created for the first text that needs them.
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2400-\u257f]*$/;
let segmenter: Intl.Segmenter | undefined;
let invisible: RegExp | undefined;
let emoji: RegExp | undefined;
let beside: RegExp | undefined;

/** The width of a text without control characters, in columns of a terminal. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

/** Cuts a text to a number of columns, with `…`. */
export function cutToWidth(text: string, columns: number): string {
  // Zero-width graphemes are rare: a text much longer than the columns is not read to its end.
  const head = text.slice(0, columns * 16 + 64);
  if (NARROW.test(head)) return text.length > columns ? `${head.slice(0, columns - 1)}…` : text;
  let width = 0;
  let fitting = 0;
  for (const { segment, index } of graphemes(head)) {
    width += graphemeWidth(segment);
    if (width > columns) return `${head.slice(0, fitting)}…`;
    if (width < columns) fitting = index + segment.length;
  }
  return head.length === text.length ? text : `${head.slice(0, fitting)}…`;
}

/** Pads a text with blanks to a number of columns; `left` adds them before the text. */
export function padToWidth(text: string, columns: number, side: "left" | "right"): string {
  const blanks = " ".repeat(Math.max(0, columns - textWidth(text)));
  return side === "left" ? blanks + text : text + blanks;
}

/** V8's segmenter takes longer per grapheme in longer texts. */
const WINDOW = 512;

/** Splits a text into graphemes, which people perceive as characters. */
export function* graphemes(text: string): Generator<{ segment: string; index: number }> {
  segmenter ??= new Intl.Segmenter();
  let size = WINDOW;
  for (let start = 0; start < text.length; ) {
    // A window must not end inside a surrogate pair.
    const isHalf = (text.charCodeAt(start + size - 1) & 0xfc00) === 0xd800;
    const end = start + size + (isHalf ? 1 : 0);
    let next = start;
    for (const { segment, index } of segmenter.segment(text.slice(start, end))) {
      // The last grapheme may continue after the window: the next window begins with it.
      if (end < text.length && start + index + segment.length === end) break;
      yield { segment, index: start + index };
      next = start + index + segment.length;
    }
    size = next === start ? size * 2 : WINDOW;
    start = next;
  }
}

/** The width of a grapheme in columns. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && NARROW.test(grapheme)) return 1;
  invisible ??= /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}]*$/u;
  if (invisible.test(grapheme)) return 0;
  // An emoji, a flag, a variation selector, a keycap, a joined sequence.
  emoji ??= /^(?!\p{RI}$)\p{Emoji_Presentation}|^\p{Emoji}.*[\ufe0f\u20e3\u200d]/su;
  if (emoji.test(grapheme)) return 2;
  // Spacing vowel signs, and the sound marks of halfwidth kana.
  beside ??= /(?<=.)[\p{Mc}\uff9e\uff9f]/gsu;
  const marks = grapheme.match(beside)?.length ?? 0;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0) + marks;
}

/**
 * Breaks lines between words so that they fit a width. Further lines are indented like their first one; a
 * longer word stays whole.
 *
 * @example `wrapText("one two three", 8)` is `one two⏎three`
 */
export function wrapText(text: string, width: number): string {
  // A character has at most two columns.
  if (text.length * 2 <= width) return text;
  return text
    .split("\n")
    .map((line) =>
      line.length <= width && textWidth(line) <= width ? line : wrapLine(line, width),
    )
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  // An error has its message beside the bar of the source above it.
  const indent = /^[ \t]*(?:│[ \t]*)?/.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let current = indent;
  let columns = textWidth(indent);
  // Each word with the blanks before it, which stay where the line is not broken.
  for (const [whole, blanks = "", word = ""] of line
    .slice(indent.length)
    .matchAll(/( *)([^ ]+)/g)) {
    const added = textWidth(whole);
    if (current.length > indent.length && columns + added > width) {
      lines.push(current);
      current = indent + word;
      columns = textWidth(indent) + added - blanks.length;
    } else {
      current += whole;
      columns += added;
    }
  }
  return [...lines, current].join("\n");
}
