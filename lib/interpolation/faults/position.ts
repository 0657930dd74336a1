import type { Fault, SourceText, Span } from "./fault.ts";

interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the line and column of an offset. Lines end with LF, CRLF or CR.
 *
 * @param text The text.
 * @param offset A UTF-16 offset; offsets after the end of the text count as its end.
 * @returns Line and column, from 1; columns are code points.
 */
export function locate(text: SourceText, offset: number): Position {
  const { source, firstLine } = text;
  if (last?.source !== source || last.firstLine !== firstLine) {
    last = { source, firstLine, locate: createLocator(text) };
  }
  return last.locate(offset);
}

/** The faults of a text are located one by one: without this, each would read the text again. */
let last: (SourceText & { readonly locate: (offset: number) => Position }) | undefined;

/** Like {@link locate}, for many offsets of one text: ascending offsets take linear time in all. */
export function createLocator({ source, firstLine = 1 }: SourceText): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  let index = 0;
  let line = 1;
  let column = 1;
  return (offset) => {
    const end = Math.min(offset, source.length);
    starts ??= lineStarts(source);
    const found = lineOf(end, starts);
    if (found !== line || end < index) {
      line = found;
      index = starts[line - 1] ?? 0;
      column = 1;
    }
    for (; index < end; index++) if (!isLowSurrogateOfPair(source, index)) column++;
    return { line: line + firstLine - 1, column };
  };
}

function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (code === 0x0a || (code === 0x0d && source.charCodeAt(index + 1) !== 0x0a)) {
      starts.push(index + 1);
    }
  }
  return starts;
}

/** The number of the line that contains an offset, from 1. */
function lineOf(offset: number, starts: readonly number[]): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/**
 * Creates a fault with the line and column of its span.
 *
 * @param text The text that the span refers to.
 * @param span The range that the caret underlines.
 * @param message What is wrong, without the position.
 * @param hint What to do about it.
 */
export function createFault(text: SourceText, span: Span, message: string, hint?: string): Fault {
  const position = locate(text, span.start);
  return { message, span, ...position, ...(hint === undefined ? {} : { hint }) };
}

/** The first line of a span, without blanks at its end, to show what spans several lines. */
export function firstLineSpan(source: string, { start, end }: Span): Span {
  const [line = ""] = source.slice(start, end).split(/[\r\n]/, 1);
  return { start, end: start + line.trimEnd().length };
}

function isLowSurrogateOfPair(source: string, index: number): boolean {
  return (
    (source.charCodeAt(index) & 0xfc00) === 0xdc00 &&
    (source.charCodeAt(index - 1) & 0xfc00) === 0xd800
  );
}
