import type { Block, Cell, Lens } from "../blocks/mod.ts";
import { cutText } from "../blocks/mod.ts";
import { parseSeparated } from "./separated.ts";

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Displays separated values as a table, with columns named by the first record. */
export function viewSeparated(
  text: string,
  separator: string,
  { limits, hide }: Lens,
): readonly Block[] {
  const { records, total } = parseSeparated(text, separator, limits.rows + 1);
  const [head = [], ...body] = records;
  if (head.length === 0) return [{ kind: "note", level: "info", text: "Empty table" }];
  const width = body.reduce((most, { length }) => Math.max(most, length), head.length);
  const shownColumns = Math.min(width, limits.columns);
  // A record may be longer than the first one: its last columns are unnamed.
  const columns = Array.from({ length: shownColumns }, (_, index) =>
    cutText(hide(head[index] ?? ""), limits.cell),
  );
  const rows: Cell[][] = [];
  let left = limits.table;
  for (const record of body) {
    const row = columns.map((_, index) => toCell(record[index] ?? "", limits.cell, hide));
    left -= row.reduce((sum, cell) => sum + cell.text.length + 8, 0);
    if (left < 0 && rows.length > 0) break;
    rows.push(row);
  }
  return [{ kind: "table", columns, rows, total: Math.max(0, total - 1), totalColumns: width }];
}

function toCell(text: string, length: number, hide: Lens["hide"]): Cell {
  return { text: cutText(hide(text), length), numeric: NUMBER.test(text) };
}
