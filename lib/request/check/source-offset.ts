import type { RenderedRange, Span, Template } from "../../interpolation/mod.ts";

/** The template of a rendered text, and where it stands in the source. */
export interface RenderedSource {
  readonly text: Template;
  readonly span: Span;
  /** Lines within the span that are not part of the template, in order. */
  readonly omitted?: readonly Span[];
}

/**
 * Converts an offset in a rendered text to one in its source.
 *
 * @param offset An offset outside of the ranges of placeholders.
 * @param rendered The template and its place in the source.
 * @param ranges The rendered range of each placeholder.
 */
export function toSourceOffset(
  offset: number,
  { text: { source }, span, omitted = [] }: RenderedSource,
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
  let next = omitted.findIndex(({ start }) => start >= from);
  for (;;) {
    const skipped = omitted[next];
    if (skipped !== undefined && position === skipped.start) {
      position = skipped.end;
      next++;
      continue;
    }
    if (rest <= 0 || position >= span.end) break;
    // An escape `\{{` is one character longer in the source.
    if (source.startsWith("\\{{", position)) position++;
    position++;
    rest--;
  }
  return Math.min(position, span.end);
}
