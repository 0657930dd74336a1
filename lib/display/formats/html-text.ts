import type { TextBlock } from "../blocks/mod.ts";
import { toVisibleText } from "../text/mod.ts";
import { escapeHtml } from "./escape.ts";
import { type HighlightToken, highlight, type TokenKind } from "./highlight.ts";

/**
 * The colours of source text, each mixed with the colour of the text around it, so that one value is
 * legible on light and on dark pages. A viewer that takes them away leaves weight and slant.
 */
export const TOKEN_COLORS: Readonly<Record<"name" | "string" | "number", string>> = {
  name: "#0a5fd0",
  string: "#0a7d33",
  number: "#a8328c",
};

/** How much of a token's colour is the colour of the text around it, in percent. */
export const TOKEN_MIX = 55;

const PRE_STYLE = "max-height:32em;overflow:auto;color:inherit;background:transparent;margin:4px 0";

const VARIABLES = Object.entries(TOKEN_COLORS)
  .map(([kind, color]) => `--${kind}:color-mix(in srgb,currentColor ${TOKEN_MIX}%,${color})`)
  .join(";");

const DRESS: Readonly<Record<TokenKind, readonly [open: string, close: string]>> = {
  name: ['<b style="color:var(--name)">', "</b>"],
  attribute: ["<b>", "</b>"],
  string: ['<span style="color:var(--string)">', "</span>"],
  number: ['<span style="color:var(--number)">', "</span>"],
  comment: ["<i>", "</i>"],
};

/** Preformatted text, highlighted where its language is known. */
export function textToHtml({ text, language, isDrawing = false }: TextBlock): string {
  const tokens = highlight(toVisibleText(text), language);
  // A browser drops one line break behind the opening tag.
  const first = text.startsWith("\n") || text.startsWith("\r\n") ? "\n" : "";
  const wrap = isDrawing ? "white-space:pre" : "white-space:pre-wrap;overflow-wrap:anywhere";
  const style = `${tokens.length > 1 ? `${VARIABLES};` : ""}${wrap};${PRE_STYLE}`;
  // What scrolls has to be reachable by keyboard.
  const focus = isDrawing || text.split("\n", 30).length === 30 ? ' tabindex="0"' : "";
  return `<pre${focus} style="${style}">${first}${tokens.map(dress).join("")}</pre>`;
}

function dress({ kind, text }: HighlightToken): string {
  const shown = escapeHtml(text);
  if (kind === undefined) return shown;
  const [open, close] = DRESS[kind];
  return open + shown + close;
}
