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
  return createLocator(source)(offset);
}

/** As {@link locate} for many offsets: ascending ones cost one pass over the text in all. */
export function createLocator(source: string): (offset: number) => Position {
  let index = 0;
  let line = 1;
  let column = 1;
  return (offset) => {
    if (offset < index) [index, line, column] = [0, 1, 1];
    const end = Math.min(offset, source.length);
    while (index < end) {
      const code = source.charCodeAt(index++);
      if (code === 0x0a || (code === 0x0d && source.charCodeAt(index) !== 0x0a)) {
        line++;
        column = 1;
      } else if (!isLowSurrogateOfPair(source, index - 1)) {
        column++;
      }
    }
    return { line, column };
  };
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
