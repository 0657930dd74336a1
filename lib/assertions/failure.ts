import {
  createFault,
  type Fault,
  type SourceText,
  type Span,
  shorten,
} from "../interpolation/mod.ts";
import type { AssertionResult } from "./assertion.ts";

/**
 * Creates the fault of an assertion that failed: what was expected and what was found.
 *
 * @param text The text that contains the assertion.
 * @param span Where it is; by default its line.
 */
export function createFailure(
  result: AssertionResult,
  text: SourceText,
  span: Span = lineSpan(text, result.location.line),
): Fault {
  const { name, path, expected, actual, message } = result;
  const parts = [
    ...(expected === undefined || actual === undefined
      ? []
      : [`expected ${toLine(expected)}, found ${toLine(actual)}`]),
    ...(path === undefined ? [] : [`at ${toLine(path)}`]),
    ...(message === undefined ? [] : [toLine(message)]),
  ];
  const title =
    name === undefined || name === result.text ? result.text : `${name}: ${result.text}`;
  const detail = parts.length === 0 ? "" : `: ${parts.join("; ")}`;
  return createFault(text, span, `${toLine(title)} failed${detail}`);
}

/** The span of a line, without the blanks around it. */
export function lineSpan({ source, firstLine = 1 }: SourceText, line: number): Span {
  let start = 0;
  for (let rest = line - firstLine + 1; rest > 1; rest--) {
    const end = LINE_END.exec(source.slice(start));
    if (end === null) break;
    start += end.index + end[0].length;
  }
  const [text = ""] = source.slice(start).split(LINE_END, 1);
  const from = start + text.length - text.trimStart().length;
  return { start: from, end: Math.max(from, start + text.trimEnd().length) };
}

const LINE_END = /\r\n?|\n/;

const LONGEST = 200;

function toLine(text: string): string {
  return shorten(text.replaceAll(/\s+/g, " "), LONGEST);
}
