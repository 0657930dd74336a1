import {
  type Block,
  type Cell,
  cutText,
  forData,
  toTextCell,
  type ViewContext,
} from "../blocks/mod.ts";
import type { Body } from "./body.ts";
import { parseSeparated } from "./separated.ts";

/** Displays separated values as a table, with columns named by the first record. */
export function viewSeparated(
  body: Body,
  separator: string,
  context: ViewContext,
): readonly Block[] {
  const { limits } = context;
  const { records, total } = parseSeparated(body.text(), separator, limits.rows + 1);
  const [head = [], ...shown] = records;
  if (head.length === 0) return [{ kind: "note", level: "info", text: "Empty table" }];
  const width = shown.reduce((most, { length }) => Math.max(most, length), head.length);
  const shownColumns = Math.min(width, limits.columns);
  // A record may be longer than the first one: its last columns are unnamed.
  const places = Array.from({ length: shownColumns }, (_, index) => index);
  const cells = records.map((record) => record.slice(0, shownColumns));
  const { redactor } = forData(context, cells, body.masker(context));
  const columns = places.map((at) => cutText(redactor.key(head[at] ?? ""), limits.cell));
  const redactors = places.map((at) => redactor.at(head[at] ?? ""));
  const rows: Cell[][] = [];
  let left = limits.table;
  for (const record of shown) {
    const row = redactors.map((column, at) => toTextCell(record[at] ?? "", limits.cell, column));
    left -= row.reduce((sum, cell) => sum + cell.text.length + 8, 0);
    if (left < 0 && rows.length > 0) break;
    rows.push(row);
  }
  return [{ kind: "table", columns, rows, total: Math.max(0, total - 1), totalColumns: width }];
}
