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
  readonly hint?: string;
}

/** What every error about a source text has: the text and its faults. */
export interface Faulty {
  /** The source text. */
  readonly source: string;
  /** Its faults, in the order of the text. */
  readonly faults: readonly Fault[];
}
