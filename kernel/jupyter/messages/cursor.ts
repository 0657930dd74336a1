/**
 * Converts a protocol position, which counts code points since version 5.2, to an index into a
 * string.
 *
 * @param text The text that the position is in.
 * @param position How many code points precede the place; too many mean the end.
 * @see https://jupyter-client.readthedocs.io/en/latest/messaging.html#cursor-pos-unicode-note
 */
export function toStringIndex(text: string, position: number): number {
  let index = 0;
  for (let left = position; left > 0 && index < text.length; left--) {
    index += isPair(text, index) ? 2 : 1;
  }
  return index;
}

/**
 * Converts an index into a string to a protocol position in code points.
 *
 * @param text The text that the index is in.
 * @param index In UTF-16 units; inside of a character it counts as before it.
 */
export function toCodePoints(text: string, index: number): number {
  const end = Math.min(index, text.length);
  let position = 0;
  for (let at = 0; at < end; position++) {
    const next = at + (isPair(text, at) ? 2 : 1);
    if (next > end) break;
    at = next;
  }
  return position;
}

function isPair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
