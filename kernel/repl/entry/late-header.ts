import { isHeaderLine } from "./continuation.ts";
import { type Input, languageOf } from "./input.ts";

/**
 * Explains an entry that looks like a header of the request before it, which was complete without one.
 *
 * @param before The entry before it.
 * @param advice How headers are written.
 * @returns `undefined` for any other entry.
 */
export function explainLateHeader(
  text: string,
  before: Input | undefined,
  advice: string,
): string | undefined {
  if (before === undefined || languageOf(before) !== "request") return undefined;
  if (!text.trim().split("\n").every(isHeaderLine)) return undefined;
  return `"${text.trim()}" looks like a header, but the request above has been sent: ${advice}`;
}
