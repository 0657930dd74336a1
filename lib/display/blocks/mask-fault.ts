import type { Fault } from "../../interpolation/mod.ts";
import type { ViewContext } from "./view-context.ts";

/**
 * Masks the source text of a fault and moves the stretch that is meant along with it, so that the
 * carets still stand below what they mean. Lines stay lines, or their numbers would be wrong.
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

/** Where a place is after one range before it, or around it, has become shorter or longer. */
function moved(
  place: number,
  now: number,
  range: { readonly start: number; readonly end: number },
  length: number,
  side: "start" | "end",
): number {
  if (place >= range.end) return now + length - (range.end - range.start);
  if (place <= range.start) return now;
  // A stretch that begins or ends inside a secret means all of what stands in its place.
  const begin = now - (place - range.start);
  return side === "start" ? begin : begin + length;
}
