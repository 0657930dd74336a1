import type { Fault, Span } from "./fault.ts";

/** A place in a text as people count it, both from 1; columns are code points. */
export interface Position {
  /** The line, from 1. */
  readonly line: number;
  /** The column in its line, from 1, in code points. */
  readonly column: number;
}

/**
 * Finds line and column of an offset. Lines end with LF, CRLF or CR.
 *
 * @param source The text.
 * @param offset A UTF-16 offset into it; what lies behind its end counts as its end.
 * @returns Line and column, from 1.
 */
export function locate(source: string, offset: number): Position {
  if (last?.source !== source) last = { source, locate: createLocator(source) };
  return last.locate(offset);
}

/** Faults are placed one by one, and a text has many. */
let last: { readonly source: string; readonly locate: (offset: number) => Position } | undefined;

/** As {@link locate} for many offsets: the lines are found once, and ascending columns counted on. */
export function createLocator(source: string): (offset: number) => Position {
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
    return { line, column };
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

/** The last line that begins at an offset or before it, from 1. */
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
 * Makes a fault, its line and column found from the span.
 *
 * @param source The text that the span refers to.
 * @param span What the caret goes under.
 * @param message What is wrong, without the position.
 * @param hint What to do about it.
 */
export function createFault(source: string, span: Span, message: string, hint?: string): Fault {
  const position = locate(source, span.start);
  return { message, span, ...position, ...(hint === undefined ? {} : { hint }) };
}

function isLowSurrogateOfPair(source: string, index: number): boolean {
  return (
    (source.charCodeAt(index) & 0xfc00) === 0xdc00 &&
    (source.charCodeAt(index - 1) & 0xfc00) === 0xd800
  );
}
