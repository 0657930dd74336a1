/**
 * Converts a protocol position, which counts code points since version 5.2, to an index into a
 * string.
 *
 * @param position How many code points precede the place; too many mean the end.
 * @see https://jupyter-client.readthedocs.io/en/latest/messaging.html#cursor-pos-unicode-note
 */
export function toStringIndex(text: string, position: number): number {
  return [...text].slice(0, Math.max(0, position)).join("").length;
}

/**
 * Converts an index into a string to a protocol position in code points.
 *
 * @param index In UTF-16 units; inside of a character it counts as before it.
 */
export function toCodePoints(text: string, index: number): number {
  const isInside = (text.codePointAt(index - 1) ?? 0) > 0xffff;
  return [...text.slice(0, isInside ? index - 1 : index)].length;
}
