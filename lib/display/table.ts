import type { Cell, TableBlock } from "./block.ts";
import { toCell } from "./cell.ts";
import { cutText } from "./compact.ts";
import type { Lens } from "./lens.ts";

/**
 * An array of objects as a table: its columns are the keys of the rows shown, in the order in which
 * they appear. A key that only rows further down have is not looked for: a million rows are not read.
 */
export function viewTable(
  items: readonly object[],
  { limits, hide }: Lens,
  budget: { rows: number },
): TableBlock {
  const shown = items.slice(0, limits.rows);
  const keys = new Set<string>();
  for (const item of shown) {
    for (const key in item) if (Object.hasOwn(item, key)) keys.add(key);
  }
  const columns = [...keys].slice(0, limits.columns);
  const rows: Cell[][] = [];
  for (const item of shown) {
    const row = columns.map((key) => toCell(own(item, key), limits.cell, hide));
    budget.rows -= row.reduce((sum, cell) => sum + cell.text.length + 8, 0);
    if (budget.rows < 0 && rows.length > 0) break;
    rows.push(row);
  }
  return {
    kind: "table",
    columns: columns.map((key) => cutText(hide(key), limits.cell)),
    rows,
    total: items.length,
    totalColumns: keys.size,
  };
}

function own(item: object, key: string): unknown {
  return Object.hasOwn(item, key) ? Reflect.get(item, key) : undefined;
}
