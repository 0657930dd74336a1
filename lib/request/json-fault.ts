import { locate, type RenderedRange, shorten } from "../interpolation/mod.ts";
import { findJsonFault, type JsonFault } from "../json/mod.ts";

/** The first fault of a rendered JSON body, and the placeholder that it came from, if it did. */
interface JsonFinding {
  readonly fault: JsonFault;
  readonly range: RenderedRange | undefined;
}

/**
 * Returns the warning about a rendered body that should be JSON.
 *
 * @param ranges The rendered range of each placeholder.
 * @returns `undefined` for valid JSON.
 */
export function jsonWarning(body: string, ranges: readonly RenderedRange[]): string | undefined {
  const finding = findInJson(body, ranges);
  if (finding === undefined) return undefined;
  const { line, column } = locate({ source: body }, finding.fault.offset);
  return explainFinding(body, finding, ` at line ${line}, column ${column}`);
}

/** Describes a finding; `where` adds the position. */
export function explainFinding(body: string, { fault, range }: JsonFinding, where = ""): string {
  const summary = `The JSON body is not valid${where}: ${fault.message}`;
  return range === undefined ? summary : `${summary}, in ${explainRange(body, range)}`;
}

/** Finds the first fault of a rendered JSON body. */
export function findInJson(
  body: string,
  ranges: readonly RenderedRange[],
): JsonFinding | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch {
    // The position in this error differs between runtimes.
  }
  const fault = findJsonFault(body);
  return fault === undefined ? undefined : { fault, range: rangeOf(fault, ranges) };
}

/** The placeholder whose range contains the offset, or ends there because its value is empty or incomplete. */
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
  if (/^\{\{.*\}\}$/s.test(text)) return `${name}, which was not replaced`;
  if (text === "")
    return `${name}, which is empty. For a JSON string write "${name}" with the quotes`;
  return `${name}, which became ${shorten(text, 40)}. For a JSON string write "${name}" with the quotes`;
}
