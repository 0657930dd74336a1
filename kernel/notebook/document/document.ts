export interface DocumentCell {
  readonly type: "code" | "markdown" | "raw";
  /** nbformat's cell id: 1 to 64 letters, digits, `-` and `_`, unique in the document. */
  readonly id: string;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** nbformat's `attachments`, written back unchanged. */
  readonly attachments?: unknown;
  /** The outputs that the file contains, of any type: they are only read for what they promise. */
  readonly savedOutputs?: readonly unknown[];
  /** The line on which the cell begins, from 1, in a file of requests, whose cells are never TypeScript. */
  readonly line?: number;
}

/** A notebook, or a `.http` file with one code cell per request. */
export interface Document {
  readonly path: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly cells: readonly DocumentCell[];
  /** How many lines a file of requests has. */
  readonly lines?: number;
}

/** A file cannot be read, run or written as a document; the message names it and says why. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}
