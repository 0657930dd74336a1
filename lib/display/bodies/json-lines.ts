import { parseJson } from "../../exchange/mod.ts";
import {
  type Block,
  cutText,
  formatCount,
  groupDigits,
  type Origin,
  type ViewContext,
} from "../blocks/mod.ts";
import type { Body } from "./body.ts";
import { viewJson } from "./json-view.ts";

const MAX_LINES = 1_000;
const LONGEST_LINE = 1_000_000;
const NEWLINE = "\n";
const RECORD_SEPARATOR = "\u001e";

/** Displays JSON Lines and JSON text sequences (RFC 7464) as a table of their records. */
export function viewJsonLines(body: Body, context: ViewContext): readonly Block[] {
  const text = body.text();
  const records: unknown[] = [];
  const broken: number[] = [];
  let number = 0;
  let at = 0;
  while (at < text.length && number < MAX_LINES) {
    const end = endOfLine(text, at);
    // In a JSON text sequence, a record separator precedes each record.
    const start = text[at] === RECORD_SEPARATOR ? at + 1 : at;
    const line = text.slice(start, Math.min(end, start + LONGEST_LINE));
    at = end + 1;
    number++;
    if (line.trim() === "") continue;
    try {
      records.push(parseJson(line));
    } catch {
      broken.push(number);
      records.push(line);
    }
  }
  const total = records.length + countLines(text, at);
  const origin: Origin = { total: (list) => (list === records ? total : undefined) };
  return [
    ...viewBroken(broken, context),
    ...viewJson(records, context, body.masker(context), origin),
  ];
}

function viewBroken(lines: readonly number[], { limits }: ViewContext): readonly Block[] {
  if (lines.length === 0) return [];
  const places = cutText(lines.map(groupDigits).join(", "), limits.cell);
  const text = `${formatCount(lines.length, "line")} cannot be parsed as JSON: line ${places}`;
  return [{ kind: "note", level: "warning", text }];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf(NEWLINE, from);
  return end === -1 ? text.length : end;
}

/** The number of lines that are not blank, from an index on. */
function countLines(text: string, from: number): number {
  let count = 0;
  for (let at = from; at < text.length; ) {
    const end = endOfLine(text, at);
    if (end > at + 1 || (end === at + 1 && text[at] !== "\r")) count++;
    at = end + 1;
  }
  return count;
}
