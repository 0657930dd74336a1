/** A stretch of a source text: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One thing that is wrong with a source text. A display draws a caret from it. */
export interface Fault {
  /** What is wrong, in words, without the position. */
  readonly message: string;
  readonly span: Span;
  /** Line of `span.start` in the source, from 1. */
  readonly line: number;
  /** Column of `span.start` in its line, from 1, in code points. */
  readonly column: number;
  /** What to do about it, where that is known. */
  readonly hint?: string;
}

/** What every error about a source text carries: the text and all that is wrong with it. */
export interface Faulty {
  readonly source: string;
  readonly faults: readonly Fault[];
}
