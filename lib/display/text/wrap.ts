import { textWidth } from "./width.ts";

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
