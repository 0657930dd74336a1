/** Parses JSON, as `JSON.parse` does. */
export type ParseJson = (text: string) => unknown;

/** Splits chunks of text into items. */
export interface TextSplitter<T> {
  /** Returns the items that a chunk completes. */
  push(text: string): readonly T[];
  /** Returns the remaining items when the text has ended. */
  end(): readonly T[];
  /** The number of items that were cut because they were too long. */
  readonly cut?: number;
}
