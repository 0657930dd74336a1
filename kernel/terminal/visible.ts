import { toVisibleText } from "../../lib/display/mod.ts";

// SGR colours and weights: nothing that moves the cursor, erases, hides (8), blinks (5, 6) or queries.
const STYLE =
  "(?:0?[0-479]|2[1-9]|[34][0-79]|9[0-7]|10[0-7]|[34]8;5;\\d{1,3}|[34]8;2;\\d{1,3};\\d{1,3};\\d{1,3})";
const SEQUENCE = new RegExp(`(\\u001b\\[(?:${STYLE}(?:;${STYLE})*)?m)`);
const RESET = "\u001b[0m";

/**
 * Makes the control characters of printed text visible, except tab, line feed and, with `color`, the
 * sequences for colours. Colours end with the text.
 */
export function toTerminalText(text: string, color: boolean): string {
  if (!color || !text.includes("\u001b")) return toVisibleText(text);
  const parts = text.split(SEQUENCE);
  const shown = parts.map((part, index) => (index % 2 === 1 ? part : toVisibleText(part))).join("");
  return parts.length > 1 ? shown + RESET : shown;
}
