import type { TextBlock } from "../blocks/mod.ts";
import { toVisibleText } from "../text/mod.ts";
import { escapeHtml } from "./escape.ts";
import { type HighlightToken, highlight, type TokenKind } from "./highlight.ts";

/**
 * The colours of source text and of cells. Each is mixed with the colour of the surrounding text, so that it is legible on
 * light and dark pages. Viewers that remove styles keep bold and italics.
 */
export const TOKEN_COLORS: Readonly<Record<"name" | "string" | "number" | "literal", string>> = {
  name: "#0a5fd0",
  string: "#0a7d33",
  number: "#a8328c",
  literal: "#b35900",
};

/** The share of the surrounding text's colour in that of a token, in percent. */
export const TOKEN_MIX = 55;

const PRE_STYLE = "max-height:32em;overflow:auto;color:inherit;background:transparent;margin:4px 0";

/** The declarations of the colours, as `--string` and the like. */
export const COLOR_VARIABLES: string = Object.entries(TOKEN_COLORS)
  .map(([kind, color]) => `--${kind}:color-mix(in srgb,currentColor ${TOKEN_MIX}%,${color})`)
  .join(";");

const TAGS: Readonly<Record<TokenKind, readonly [open: string, close: string]>> = {
  name: ['<b style="color:var(--name)">', "</b>"],
  attribute: ["<b>", "</b>"],
  string: ['<span style="color:var(--string)">', "</span>"],
  number: ['<span style="color:var(--number)">', "</span>"],
  literal: ['<span style="color:var(--literal)">', "</span>"],
  comment: ["<i>", "</i>"],
};

/** Writes preformatted text, highlighted if its language is known. */
export function textToHtml({ text, language, isDrawing = false }: TextBlock): string {
  const tokens = highlight(toVisibleText(text), language);
  // Browsers drop a line break after the opening tag.
  const first = text.startsWith("\n") || text.startsWith("\r\n") ? "\n" : "";
  const wrap = isDrawing
    ? "white-space:pre;contain:inline-size"
    : "white-space:pre-wrap;overflow-wrap:anywhere";
  const style = `${wrap};${PRE_STYLE}`;
  // Scrollable text has to be reachable by keyboard.
  const focus = isDrawing || text.split("\n", 30).length === 30 ? ' tabindex="0"' : "";
  return `<pre${focus} style="${style}">${first}${tokens.map(toHtmlToken).join("")}</pre>`;
}

function toHtmlToken({ kind, text }: HighlightToken): string {
  const shown = escapeHtml(text);
  if (kind === undefined) return shown;
  const [open, close] = TAGS[kind];
  return open + shown + close;
}
