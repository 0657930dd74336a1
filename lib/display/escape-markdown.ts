import { toVisibleLine, toVisibleText } from "./visible.ts";

// Letters, digits, blanks and marks that mean nothing between words in any Markdown.
const PLAIN = /^(?!www\.)(?![-+.\d)]*\s)(?:[\p{L}\p{N}\p{M} ,.'()%;?!…·-]|: )*$/iu;
const NUMBER = /^-?\d[\d.,]*(?:[eE][-+]?\d+)?$/;

/**
 * A text for one line or one cell, in which nothing is markup. Plain words stay as they are, all
 * else becomes code, in which nothing is read: no link, no HTML, no formula.
 */
export function escapeMarkdown(text: string): string {
  const shown = toVisibleLine(text);
  if (NUMBER.test(shown) || (PLAIN.test(shown) && !/\bwww\./i.test(shown))) return shown;
  return toCode(text);
}

/** A text for one line or one cell as code. */
export function toCode(text: string): string {
  const shown = toVisibleLine(text);
  if (shown.trim() === "") return "";
  // Tables are split at bars before code is looked for, and viewers disagree about `\\|` there.
  if (shown.includes("|")) return toEntities(shown);
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
