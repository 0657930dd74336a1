import { escapeHtml } from "../../lib/display/mod.ts";

/** Characters that XML 1.0 does not allow, not even as references; a report shows them as `\ufffd`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const REFUSED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** What one reader or another takes for a line break. */
const BREAK = /\r\n?|[\n\u0085\u2028\u2029]/g;

/**
 * Escapes a text for XML and HTML, in elements and in quoted attributes. Its line breaks are references to LF, so
 * that no line of a report begins with a text from elsewhere: a CI system could take it for a command.
 */
export function escapeMarkup(text: string): string {
  return escapeHtml(text.replace(REFUSED, "\ufffd")).replace(BREAK, "&#10;");
}

/** Writes attributes; those without a value are left out. */
export function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [` ${name}="${escapeMarkup(String(value))}"`],
    )
    .join("");
}
