/** A cell of a document, as far as running it needs to know. */
export interface DocumentCell {
  readonly type: "code" | "markdown" | "raw";
  /** nbformat's cell id: 1 to 64 letters, digits, `-` and `_`, unique in the document. */
  readonly id: string;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** nbformat's `attachments`, kept as they are. */
  readonly attachments?: unknown;
  /** The line of the file on which the cell begins, from 1, where the file is plain text. */
  readonly line?: number;
}

/** A file to run: a notebook, or a `.http` file with one code cell for each request. */
export interface Document {
  readonly path: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly cells: readonly DocumentCell[];
}

/** A file that cannot be read as a document. The message says which file, what and what to do. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}
