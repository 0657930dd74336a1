/** What a failed assertion of a library has beside its message. */
export interface AssertionFailure extends Error {
  readonly actual?: unknown;
  readonly expected?: unknown;
  /** What a matcher adds to its verdict. */
  readonly __vitest_error_context__?: { readonly meta?: { readonly path?: unknown } };
}

/** Whether an error is that of a failed assertion of `expect`, or of another library. */
export function isAssertionFailure(error: unknown): error is AssertionFailure {
  if (!(error instanceof Error)) return false;
  if ("__vitest_error_context__" in error) return true;
  return error.name.startsWith("AssertionError") && "actual" in error;
}

/** Gives a failure its name, which those of added matchers have not: its stack then begins where it was made. */
export function nameFailure(error: unknown): void {
  if (!isAssertionFailure(error)) return;
  Reflect.defineProperty(error, "name", { value: "AssertionError", configurable: true });
}
