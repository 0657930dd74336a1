import { toVisibleLine, toVisibleText } from "./visible.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

// Notebooks run MathJax on everything but code, and a formula may contain a link that runs a script:
// `$\href{javascript:…}{x}$`. MathJax looks for its delimiters only in unbroken text.
const MATH = /\$|\\(?=[([]|begin|ref|eqref)/g;

/**
 * Escapes a text for HTML between tags, so that no viewer finds a formula in it.
 *
 * @param element The name of an element without a meaning at this place.
 */
export function escapeHtmlText(text: string, element: "span" | "tspan" = "span"): string {
  return escapeHtml(text).replace(MATH, `<${element}>$&</${element}>`);
}

// Characters with a meaning inside a line in some dialect of Markdown: links, emphasis, entities.
const MARKED = /[^A-Za-z0-9 ,.'"()%;?!/+\u0080-\uffff:-]|:(?![ \d]|$)/;
// Some viewers link bare host names and e-mail addresses as well.
const LINK = /:\/\/|[\p{L}\d]\.\p{L}{2}/u;
// A list, a rule or an underlined heading at the beginning of a line.
const LINE_START = /^\s*(?:[-+]|\d+[.)])|^ {4}/;

/**
 * Escapes a text inside a line or a cell. Plain words stay as they are; everything else becomes code, in
 * which there are no links, HTML or formulas.
 */
export function escapeMarkdown(text: string): string {
  const shown = toVisibleLine(text);
  return !MARKED.test(shown) && !LINK.test(shown) ? shown : toCode(text);
}

/** Escapes a text at the beginning of a line. */
export function escapeMarkdownLine(text: string): string {
  return LINE_START.test(text) ? toCode(text) : escapeMarkdown(text);
}

/** Writes a text for one line or one cell as code. */
export function toCode(text: string): string {
  const shown = toVisibleLine(text);
  if (shown.trim() === "") return "";
  // Tables are split at bars before code is parsed, and viewers disagree about `\\|` in code. It has to
  // be code nevertheless: notebooks also look for formulas in the rendered text.
  if (shown.includes("|")) return `<code>${toEntities(shown)}</code>`;
  const ticks = "`".repeat(longestRun(shown) + 1);
  const pad = ticks.length > 1 || /^ .* $/.test(shown) ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

/** Writes a text of several lines as a fenced code block. */
export function fence(text: string, language: string): string {
  const shown = toVisibleText(text);
  const ticks = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}${language}\n${shown}${shown.endsWith("\n") ? "" : "\n"}${ticks}`;
}

function toEntities(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
