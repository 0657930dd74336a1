import type { Fault } from "../../interpolation/mod.ts";
import type { ViewContext } from "./view-context.ts";

/**
 * Masks the source text of a fault, and moves the span of the fault accordingly, so that the carets are still
 * below the right text. Line breaks are kept, since line numbers would be wrong without them.
 */
export function maskFault(
  source: string,
  fault: Fault,
  { masking }: Pick<ViewContext, "masking">,
): { readonly source: string; readonly fault: Fault } {
  const ranges = masking.locate(source);
  if (ranges.length === 0) return { source, fault };
  const parts: string[] = [];
  let from = 0;
  let { start, end } = fault.span;
  for (const range of ranges) {
    const breaks = source.slice(range.start, range.end).replace(/[^\n]/g, "");
    const shown = range.shown + breaks;
    parts.push(source.slice(from, range.start), shown);
    from = range.end;
    start = moved(fault.span.start, start, range, shown.length, "start");
    end = moved(fault.span.end, end, range, shown.length, "end");
  }
  parts.push(source.slice(from));
  return { source: parts.join(""), fault: { ...fault, span: { start, end } } };
}

/** The new offset of a place after a range before it, or around it, has been replaced. */
function moved(
  place: number,
  now: number,
  range: { readonly start: number; readonly end: number },
  length: number,
  side: "start" | "end",
): number {
  if (place >= range.end) return now + length - (range.end - range.start);
  if (place <= range.start) return now;
  // A span that begins or ends inside a secret covers its whole replacement.
  const begin = now - (place - range.start);
  return side === "start" ? begin : begin + length;
}
