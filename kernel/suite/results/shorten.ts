/**
 * Shortens a text: a report with all failures of a suite must stay readable.
 *
 * @param text Masked already: a part of a secret is not recognized.
 */
export function shorten(text: string, max: number): string {
  const more = text.length - max;
  return more > 0 ? `${text.slice(0, max)}… (${more} more characters)` : text;
}
