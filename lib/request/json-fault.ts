import {
  locate,
  mapPlaceholders,
  type RenderedRange,
  type Span,
  shorten,
  type Template,
} from "../interpolation/mod.ts";
import { findJsonFault, type JsonFault } from "../json/mod.ts";
import type { Remark } from "./draft.ts";

/** The first fault of a rendered JSON body, and the placeholder that it came from, if it did. */
interface JsonFinding {
  readonly fault: JsonFault;
  readonly range: RenderedRange | undefined;
}

/** The template of a text, and where it stands in the source. */
export interface RenderedSource {
  readonly text: Template;
  readonly span: Span;
  /** Lines within the span that are not part of the template, in order. */
  readonly omitted?: readonly Span[] | undefined;
}

/**
 * Remarks on a rendered body that should be JSON and is not.
 *
 * @param ranges The rendered range of each placeholder.
 * @param written Where it is written.
 */
export function remarksOnJson(
  body: string,
  ranges: readonly RenderedRange[],
  written: RenderedSource,
  what = "The JSON body",
): readonly Remark[] {
  const finding = findInJson(body, ranges);
  if (finding === undefined) return [];
  const { line, column } = locate({ source: body }, finding.fault.offset);
  const start = toSourceOffset(finding.fault.offset, written, ranges);
  const here = { start, end: Math.min(start + 1, written.text.source.length) };
  return [
    {
      code: "json",
      message: explainFinding(body, finding, what),
      warning: explainFinding(body, finding, what, ` at line ${line}, column ${column}`),
      span: finding.range?.placeholder.span ?? here,
    },
  ];
}

/** Describes a finding; `where` adds the position. */
function explainFinding(
  body: string,
  { fault, range }: JsonFinding,
  what: string,
  where = "",
): string {
  const summary = `${what} is not valid${where}: ${fault.message}`;
  return range === undefined ? summary : `${summary}, in ${explainRange(body, range)}`;
}

/** Finds the first fault of a rendered JSON body. */
function findInJson(body: string, ranges: readonly RenderedRange[]): JsonFinding | undefined {
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

/**
 * Converts an offset in a rendered text to one in its source.
 *
 * @param offset An offset outside of the ranges of placeholders.
 * @param rendered The template and its place in the source.
 * @param ranges The rendered range of each placeholder.
 */
function toSourceOffset(
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

/** Converts an offset in the shape of a template to one in its source. */
export function offsetInSource(offset: number, written: RenderedSource): number {
  const ranges: RenderedRange[] = [];
  mapPlaceholders(written.text, (placeholder, start) => {
    ranges.push({ placeholder, start, end: start + 1 });
    return placeholder;
  });
  return toSourceOffset(offset, written, ranges);
}
