/** A file cannot be read, run or written as a document; the message names it and says why. */
export class DocumentError extends Error {
  /** The name of the class. */
  override readonly name = "DocumentError";
}

/** Files cannot be read or written: each has its {@link DocumentError}. */
export class UnreadableError extends AggregateError {}

/**
 * Does something with a file.
 *
 * @param what What it is, for messages: `Reading "a.http"`.
 * @throws {DocumentError} It failed.
 */
export async function attempt<T>(
  what: string,
  reasonOf: (error: unknown) => string,
  act: () => T | Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new DocumentError(`${what} failed: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Waits for the work on several files, also after one of them has failed.
 *
 * @throws {UnreadableError} Some have failed; all of them are named.
 */
export async function settleAll<T>(tasks: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(tasks);
  const errors = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  const unexpected = errors.find((error) => !(error instanceof DocumentError));
  if (unexpected !== undefined) throw unexpected;
  if (errors.length > 0) throw new UnreadableError(errors);
  return await Promise.all(tasks);
}
