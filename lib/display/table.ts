import type { Cell, TableBlock } from "./block.ts";
import { toCell } from "./cell.ts";
import { cutText } from "./compact.ts";
import type { Lens } from "./lens.ts";
import { lengthOf, type Origin, pathText, stepInto } from "./origin.ts";

// Keys that are looked at in rows further down: a million rows are not read to their end.
const MOST_KEYS = 100_000;
const NAMED = 5;

/**
 * An array of objects as a table: its columns are the keys of the rows shown, in the order in which
 * they appear. Keys that only further rows have are named, as far as a bounded look reaches.
 */
export function viewTable(
  items: readonly object[],
  { limits, hide }: Lens,
  origin: Origin,
  budget: { rows: number },
): TableBlock {
  const keys = new Set<string>();
  for (const item of items.slice(0, limits.rows)) addKeys(item, keys);
  const columns = [...keys].slice(0, limits.columns);
  const rows: Cell[][] = [];
  for (const item of items.slice(0, limits.rows)) {
    const row = columns.map((key) => toCell(own(item, key), limits.cell, hide));
    budget.rows -= row.reduce((sum, cell) => sum + cell.text.length + 8, 0);
    if (budget.rows < 0 && rows.length > 0) break;
    rows.push(row);
  }
  const name = (key: string): string => cutText(hide(key), limits.cell);
  const further = furtherKeys(items, limits.rows, keys);
  const path = pathText(origin, hide);
  return {
    kind: "table",
    columns: columns.map(name),
    rows,
    total: lengthOf(items, origin),
    totalColumns: keys.size,
    ...(further.length === 0
      ? {}
      : { further: { columns: further.slice(0, NAMED).map(name), total: further.length } }),
    ...(path === undefined
      ? {}
      : {
          path,
          rowPaths: rows.map((_, index) => pathText(stepInto(origin, index), hide)),
          columnPaths: columns.map((key) => pathText(stepInto(stepInto(origin, 0), key), hide)),
        }),
  };
}

function addKeys(item: object, keys: Set<string>): number {
  let looked = 0;
  for (const key in item) {
    looked++;
    if (Object.hasOwn(item, key)) keys.add(key);
  }
  return looked;
}

function furtherKeys(items: readonly object[], from: number, known: ReadonlySet<string>): string[] {
  const keys = new Set(known);
  let left = MOST_KEYS;
  for (let index = from; index < items.length && left > 0; index++) {
    const item = items[index];
    if (item !== null && typeof item === "object") left -= addKeys(item, keys);
    left--;
  }
  return [...keys].slice(known.size);
}

function own(item: object, key: string): unknown {
  return Object.hasOwn(item, key) ? Reflect.get(item, key) : undefined;
}
