/** A text that positions refer to: a template, a draft, or anything else that was parsed from it. */
export interface SourceText {
  /** The text. */
  readonly source: string;
  /** The line of a file on which the text begins, if it is a part of one; 1 by default. */
  readonly firstLine?: number | undefined;
}

/** A range of a source text, in UTF-16 offsets. */
export interface Span {
  /** The start. */
  readonly start: number;
  /** The end, exclusive. */
  readonly end: number;
}

/** An error in a source text, with the position that a caret is drawn at. */
export interface Fault {
  /** What is wrong, without the position. */
  readonly message: string;
  /** The range that the caret underlines. */
  readonly span: Span;
  /** Line of `span.start` from 1, in the source or in the file that contains it. */
  readonly line: number;
  /** Column of `span.start` in its line, from 1, in code points. */
  readonly column: number;
  /** What to do about it, if known. */
  readonly hint?: string | undefined;
}

/** What every error about a source text has: the text and its faults. */
export interface Faulty {
  /** The source text. */
  readonly source: string;
  /** Its faults, in the order of the text. */
  readonly faults: readonly Fault[];
}

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

/**
 * The maximum number of faults in a list; one more entry then says that others follow. Nobody reads
 * further, and a hostile text must not fill the memory.
 */
export const FAULT_LIMIT = 100;

/**
 * A template has placeholders that begin like a path and are broken. Nothing was rendered.
 *
 * @example
 * ```ts
 * try {
 *   interpolate("/users/{{user..id}}", {});
 * } catch (error) {
 *   error instanceof TemplateSyntaxError; // true
 * }
 * ```
 */
export class TemplateSyntaxError extends SyntaxError implements Faulty {
  /** The name of the class. */
  override readonly name: string = "TemplateSyntaxError";
  /** The source text. */
  readonly source: string;
  /** Its faults, in the order of the text. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error; its message lists the faults.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}

/**
 * Placeholders name variables, properties or elements that do not exist. Nothing was sent.
 *
 * @example
 * ```ts
 * try {
 *   interpolate("{{host}}/{{path}}", {});
 * } catch (error) {
 *   error.faults.map(({ column }) => column); // [1, 10]
 * }
 * ```
 */
export class UnresolvedPlaceholderError extends ReferenceError implements Faulty {
  /** The name of the class. */
  override readonly name: string = "UnresolvedPlaceholderError";
  /** The source text. */
  readonly source: string;
  /** Its faults, in the order of the text. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error; its message lists the faults.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}

/**
 * Writes the message of an error: one line for each fault, with line, column and hint.
 *
 * @param faults The faults, in the order of the text.
 */
export function summarizeFaults(faults: readonly Fault[]): string {
  return faults
    .map(({ message, line, column, hint }) => {
      const text = `${message} (line ${line}, column ${column})`;
      return hint === undefined ? text : `${text}. ${hint}`;
    })
    .join("\n");
}

/** Adds a fault to a list; returns false when the list is full. */
type FaultReporter = (span: Span, message: string, hint?: string) => boolean;

/**
 * Creates a function that adds faults to a bounded list, with their positions.
 *
 * @param text The text that spans refer to.
 * @param faults The list; it may already contain faults of other templates of the same source.
 */
export function createFaultReporter(text: SourceText, faults: Fault[]): FaultReporter {
  return (span, message, hint) => {
    if (faults.length > FAULT_LIMIT) return false;
    if (faults.length === FAULT_LIMIT) {
      const more = `More faults follow: only the first ${FAULT_LIMIT} are reported`;
      faults.push(createFault(text, span, more));
      return false;
    }
    faults.push(createFault(text, span, message, hint));
    return true;
  };
}

/** Shortens a text for a message, without splitting a surrogate pair. */
export function shorten(text: string, length = 60): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
