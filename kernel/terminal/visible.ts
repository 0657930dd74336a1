import { toVisibleText } from "../../lib/display/mod.ts";

// Colours and weights alone (SGR): nothing that moves, erases, hides (8), blinks (5, 6) or asks.
const STYLE =
  "(?:0?[0-479]|2[1-9]|[34][0-79]|9[0-7]|10[0-7]|[34]8;5;\\d{1,3}|[34]8;2;\\d{1,3};\\d{1,3};\\d{1,3})";
const SEQUENCE = new RegExp(`(\\u001b\\[(?:${STYLE}(?:;${STYLE})*)?m)`);
const RESET = "\u001b[0m";

/**
 * Printed text as a terminal may have it: control characters become symbols, save tab, line feed
 * and, where colours are wanted, the sequences for colours. A colour ends with the text it came in.
 */
export function toTerminalText(text: string, color: boolean): string {
  if (!color || !text.includes("\u001b")) return toVisibleText(text);
  const parts = text.split(SEQUENCE);
  const shown = parts.map((part, index) => (index % 2 === 1 ? part : toVisibleText(part))).join("");
  return parts.length > 1 ? shown + RESET : shown;
}
