import { locate, type RenderedRange } from "../../interpolation/mod.ts";
import { shorten } from "../draft/mod.ts";
import { findJsonFault, type JsonFault } from "./json-fault.ts";

/** What keeps a rendered body from being JSON, and the placeholder that it came from, if it did. */
export interface JsonFinding {
  readonly fault: JsonFault;
  readonly range: RenderedRange | undefined;
}

/**
 * Says what is wrong with a body that should be JSON and is not.
 *
 * @param body The rendered body.
 * @param ranges Which placeholder each stretch of it came from.
 * @returns The warning; nothing for a body that parses.
 */
export function explainJson(body: string, ranges: readonly RenderedRange[]): string | undefined {
  const finding = findInJson(body, ranges);
  if (finding === undefined) return undefined;
  const { line, column } = locate(body, finding.fault.offset);
  return explainFinding(body, finding, ` at line ${line}, column ${column}`);
}

/** A finding in words; `where` says the place, where the words must. */
export function explainFinding(body: string, { fault, range }: JsonFinding, where = ""): string {
  const said = `The JSON body is not valid${where}: ${fault.message}`;
  return range === undefined ? said : `${said}, in ${explainRange(body, range)}`;
}

/** Finds what keeps a rendered body from being JSON; nothing for a body that parses. */
export function findInJson(
  body: string,
  ranges: readonly RenderedRange[],
): JsonFinding | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch {
    // The position in this error differs between runtimes: it is found below.
  }
  const fault = findJsonFault(body);
  return fault === undefined ? undefined : { fault, range: rangeOf(fault, ranges) };
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
  if (/^\{\{.*\}\}$/s.test(text)) return `${name}, which was not replaced`;
  if (text === "")
    return `${name}, which is empty. For a JSON string write "${name}", with the quotes`;
  return `${name}, which became ${shorten(text, 40)}. For a JSON string write "${name}", with the quotes`;
}
