/**
 * Renders blocks as HTML, Markdown, JSON and text. Every format escapes all strings.
 */

export { drawFault } from "./caret.ts";
export { escapeHtml, escapeHtmlText } from "./escape.ts";
export { fence } from "./escape-markdown.ts";
export { toHtml } from "./html.ts";
export { toPageText } from "./html-frame.ts";
export { toJson } from "./json.ts";
export { toMarkdown } from "./markdown.ts";
export type { Paint } from "./paint.ts";
export { toText } from "./text.ts";
