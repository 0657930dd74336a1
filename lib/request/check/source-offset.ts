import type { RenderedRange, Span, Template } from "../../interpolation/mod.ts";

/**
 * Converts an offset in a rendered text to one in its source.
 *
 * @param offset An offset outside of the ranges of placeholders.
 * @param rendered The template and the span of its text in the source.
 * @param ranges The rendered range of each placeholder.
 */
export function toSourceOffset(
  offset: number,
  { text: { source }, span }: { readonly text: Template; readonly span: Span },
  ranges: readonly RenderedRange[],
): number {
  let from = span.start;
  let until = 0;
  for (const { placeholder, start, end } of ranges) {
    if (start >= offset) break;
    from = placeholder.span.end;
    until = end;
  }
  let rest = offset - until;
  let position = from;
  while (rest > 0 && position < span.end) {
    // An escape `\{{` is one character longer in the source.
    if (source.startsWith("\\{{", position)) position++;
    position++;
    rest--;
  }
  return Math.min(position, span.end);
}
