import type { Cell } from "../blocks/mod.ts";
import { toVisibleLine } from "./visible.ts";

const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?n?…?`;
/** Strings that look like another value, or like none. Masked texts begin with two braces. */
const AMBIGUOUS = new RegExp(
  String.raw`^(?:\s.*|.*\s|["[].*|\{(?!\{).*|true|false|null|undefined|NaN|-?Infinity|${NUMBER})?$`,
  "si",
);
/** A longer string is not mistaken for another value. */
const LONGEST = 1_000;
const LINE_BREAK = /[\n\r\t\u2028\u2029]/;

/**
 * The text of a cell on one line. A string that could be read as another value or as none is written with
 * quotes, as is any text with line breaks, which the escapes of JSON show.
 */
export function cellText({ text, type }: Cell): string {
  const isQuoted = LINE_BREAK.test(text) || (type === "string" && AMBIGUOUS.test(text));
  return toVisibleLine(isQuoted ? JSON.stringify(text) : text);
}

/** The text of a key or of a column on one line. */
export function nameText(name: string): string {
  return cellText({ text: name, type: "text" });
}

/** A string as the result of a cell: with quotes if it could be read as another value or as none. */
export function stringText(text: string): string {
  const isPlain = text.length > LONGEST || text.includes("\n") || !AMBIGUOUS.test(text);
  return isPlain ? text : JSON.stringify(text);
}
