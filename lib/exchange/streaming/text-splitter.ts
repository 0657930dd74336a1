/** How JSON is read; one that keeps the digits of long numbers may stand in for `JSON.parse`. */
export type ParseJson = (text: string) => unknown;

/** Takes pieces of text and gives what has become whole. */
export interface TextSplitter<T> {
  push(text: string): readonly T[];
  /** What is left when the text has ended. */
  end(): readonly T[];
  /** How many items were cut since they were too long. */
  readonly cut?: number;
}
