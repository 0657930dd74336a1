import { escapeHtml } from "../../lib/display/mod.ts";

/** Characters that XML 1.0 does not allow, not even as references; a report shows them as `\ufffd`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const REFUSED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Escapes a text for XML and HTML, in elements and in quoted attributes; lines end with LF, as parsers read them. */
export function escapeMarkup(text: string): string {
  return escapeHtml(text.replace(/\r\n?/g, "\n").replace(REFUSED, "\ufffd"));
}

/** Writes attributes; those without a value are left out. */
export function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined
        ? []
        : [` ${name}="${escapeMarkup(String(value)).replaceAll("\n", "&#10;")}"`],
    )
    .join("");
}
