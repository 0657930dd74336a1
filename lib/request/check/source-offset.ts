import type { RenderedRange, Span, Template } from "../../interpolation/mod.ts";

/**
 * Finds where in the source a character of a rendered text stands: literal text is shifted by what
 * placeholders before it were longer or shorter than their values.
 *
 * @param offset An offset in the rendered text, in no placeholder's range.
 * @param rendered The template, and where its text begins and ends in the source.
 * @param ranges Where each placeholder's value stands in the rendered text.
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
    // An escape `\{{` is one character longer in the source than what it stands for.
    if (source.startsWith("\\{{", position)) position++;
    position++;
    rest--;
  }
  return Math.min(position, span.end);
}
