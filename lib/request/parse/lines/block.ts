import { lineAt } from "./line.ts";

/** What stands between two separators. */
export interface Block {
  /** The start of the next separator, or the end of the text. */
  readonly end: number;
  /** Where its last block comment ends; before its start if it has none. */
  readonly lastClosing: number;
}

/**
 * Returns a function that finds the end of the block of an offset, for a request whose line has an indentation, which
 * a separator does not exceed. Several requests of one block search its end once.
 */
export function createBlockFinder(source: string): (start: number, indent: number) => Block {
  const found = new Map<number, Block & { readonly start: number }>();
  return (start, indent) => {
    const known = found.get(indent);
    if (known !== undefined && known.start <= start && start <= known.end) return known;
    const end = findSeparator(source, start, indent);
    const block = { start, end, lastClosing: start + source.slice(start, end).lastIndexOf("*/") };
    found.set(indent, block);
    return block;
  };
}

/** The start of the first line from `from` on that begins with `###`. */
function findSeparator(source: string, from: number, indent: number): number {
  let hit = source.indexOf("###", from);
  while (hit !== -1) {
    const start = lineStart(source, hit, from);
    if (hit - start <= indent && source.slice(start, hit).trim() === "") return start;
    hit = source.indexOf("###", lineAt(source, hit).next);
  }
  return source.length;
}

/** The start of the line of an offset, at least `from`. */
export function lineStart(source: string, offset: number, from: number): number {
  let start = offset;
  while (start > from && source[start - 1] !== "\n" && source[start - 1] !== "\r") start--;
  return start;
}
