import { toVisibleLine, toVisibleText } from "../text/mod.ts";

// What may mean something in some Markdown where it stands inside a line: links, emphasis, entities.
const MARKED = /[^A-Za-z0-9 ,.'"()%;?!/+\u0080-\uffff:-]|:(?![ \d]|$)/;
// Some viewers make a link of a bare host name or of an address, too.
const LINK = /:\/\/|[\p{L}\d]\.\p{L}{2}/u;
// A list, a rule or an underlined heading, where it begins a line.
const LINE_START = /^\s*(?:[-+]|\d+[.)])|^ {4}/;

/**
 * A text inside a line or a cell, in which nothing is markup. Plain words stay as they are, all
 * else becomes code, in which nothing is read: no link, no HTML, no formula.
 */
export function escapeMarkdown(text: string): string {
  const shown = toVisibleLine(text);
  return !MARKED.test(shown) && !LINK.test(shown) ? shown : toCode(text);
}

/** The same for a text that begins a line. */
export function escapeMarkdownLine(text: string): string {
  return LINE_START.test(text) ? toCode(text) : escapeMarkdown(text);
}

/** A text for one line or one cell as code. */
export function toCode(text: string): string {
  const shown = toVisibleLine(text);
  if (shown.trim() === "") return "";
  // Tables are split at bars before code is looked for, and viewers disagree about `\\|` there. It
  // has to be code even so: notebooks look for formulas in what was rendered, too.
  if (shown.includes("|")) return `<code>${toEntities(shown)}</code>`;
  const ticks = "`".repeat(longestRun(shown) + 1);
  const pad = ticks.length > 1 || /^ .* $/.test(shown) ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

/** A text over several lines, between fences that are longer than any in it. */
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
