/** A file cannot be read, run or written as a document; the message names it and says why. */
export class DocumentError extends Error {
  /** The name of the class. */
  override readonly name = "DocumentError";
}

/** Several files cannot be read: each has its {@link DocumentError}. */
export class UnreadableError extends AggregateError {}
