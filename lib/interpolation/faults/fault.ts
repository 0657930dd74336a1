/** A stretch of a source text: UTF-16 offsets, `end` exclusive. */
export interface Span {
  /** Where it begins. */
  readonly start: number;
  /** Where it has ended. */
  readonly end: number;
}

/** One thing that is wrong with a source text. A display draws a caret from it. */
export interface Fault {
  /** What is wrong, in words, without the position. */
  readonly message: string;
  /** What the caret goes under. */
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
  /** The text that is wrong. */
  readonly source: string;
  /** All that is wrong with it, in the order of the text. */
  readonly faults: readonly Fault[];
}
