import { locate, type RenderedRange } from "../interpolation/mod.ts";
import { findJsonFault, type JsonFault } from "./json-fault.ts";
import { shorten } from "./shorten.ts";

/**
 * Says what is wrong with a body that should be JSON and is not.
 *
 * @param body The rendered body.
 * @param ranges Which placeholder each stretch of it came from.
 * @returns The warning; nothing for a body that parses.
 */
export function explainJson(body: string, ranges: readonly RenderedRange[]): string | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch {
    // The position in this error differs between runtimes: it is found below.
  }
  const fault = findJsonFault(body);
  if (fault === undefined) return undefined;
  const { line, column } = locate(body, fault.offset);
  const where = `The JSON body does not parse at line ${line}, column ${column}: ${fault.message}`;
  const range = rangeOf(fault, ranges);
  return range === undefined ? where : `${where}, in ${explainRange(body, range)}`;
}

/** The placeholder that holds the offset, or that ends at it: nothing, or too little, came from it. */
function rangeOf(
  { offset }: JsonFault,
  ranges: readonly RenderedRange[],
): RenderedRange | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.end ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  let ending: RenderedRange | undefined;
  for (let index = low; index < ranges.length; index++) {
    const range = ranges[index];
    if (range === undefined || range.start > offset) break;
    if (range.end > offset) return range;
    ending = range;
  }
  return ending;
}

function explainRange(body: string, { placeholder, start, end }: RenderedRange): string {
  const name = `{{${placeholder.text}}}`;
  const text = body.slice(start, end);
  if (/^\{\{.*\}\}$/s.test(text)) return `${name}, which was left as it stands`;
  if (text === "")
    return `${name}, which is empty. For a JSON string write "${name}", with the quotes`;
  return `${name}, which became ${shorten(text, 40)}. For a JSON string write "${name}", with the quotes`;
}
