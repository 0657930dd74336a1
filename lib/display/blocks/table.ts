import type { Redactor } from "../../secrets/mod.ts";
import type { Cell, TableBlock } from "./block.ts";
import { isScalar, toCell, toTextCell } from "./cell.ts";
import { type Column, valueAt } from "./columns.ts";
import { cutText } from "./compact.ts";
import { lengthOf, type Origin, pathText, stepInto } from "./origin.ts";
import type { ViewContext } from "./view-context.ts";

// Bounds the search in rows that are not shown, of which there may be millions.
const KEY_LIMIT = 100_000;
const NAMED = 5;
/** Characters of the full text of a cell. */
const FULL = 320;

/** A selection of rows and columns of a list. */
export interface TablePlan {
  /** The index of each row in the original list; its own index by default. */
  readonly places?: readonly number[];
  /** The columns; by default the keys of the rows. */
  readonly columns?: readonly Column[];
  /** Whether some items were not objects, so that a column is not a path into them. */
  readonly isWrapped?: boolean;
  /** Whether strings have no type, as in CSV. */
  readonly isText?: boolean;
}

/**
 * Displays an array of objects as a table. Its columns are the keys of the rows shown, in the order in which
 * they occur. Keys that only other rows have are named, within a limit.
 */
export function viewTable(
  items: readonly object[],
  { limits, redactor }: ViewContext,
  origin: Origin,
  budget: { rows: number },
  { places, columns: chosen, isWrapped = false, isText = false }: TablePlan = {},
): TableBlock {
  const first = items.slice(0, limits.rows);
  const keys = new Set<string>();
  if (chosen === undefined) for (const item of first) addKeys(item, keys);
  const all = chosen ?? [...keys].map((key): Column => ({ name: key, steps: [key] }));
  const columns = all.slice(0, limits.columns);
  const redactors = columns.map(({ steps }) => steps.reduce(insideOf, redactor));
  const rows: Cell[][] = [];
  for (const item of first) {
    const row = columns.map((column, at) => {
      const value = valueAt(item, column);
      const inside = redactors[at] ?? redactor;
      if (isText && typeof value === "string") return toTextCell(value, limits.cell, inside);
      // A nested value leaves room for the other columns.
      const length = isScalar(value) ? limits.cell : Math.ceil(limits.cell * 0.4);
      return toCell(value, length, inside, FULL);
    });
    budget.rows -= row.reduce((sum, { text, full = "" }) => sum + text.length + full.length + 8, 0);
    if (budget.rows < 0 && rows.length > 0) break;
    rows.push(row);
  }
  const name = (key: string): string => cutText(redactor.key(key), limits.cell);
  const further = chosen === undefined ? furtherKeys(items, limits.rows, keys) : [];
  const rowAt = (index: number): Origin => stepInto(origin, places?.[index] ?? index);
  // The path of a column is that of the first row with a value in it.
  const pathOf = (column: Column): string | undefined => {
    if (isWrapped) return undefined;
    const index = first.findIndex((item) => valueAt(item, column) !== undefined);
    return index < 0 ? undefined : pathText(column.steps.reduce(stepInto, rowAt(index)), redactor);
  };
  const path = pathText(origin, redactor);
  return {
    kind: "table",
    columns: columns.map((column) => name(column.name)),
    rows,
    total: places === undefined ? lengthOf(items, origin) : items.length,
    totalColumns: all.length,
    ...(further.length === 0
      ? {}
      : { further: { columns: further.slice(0, NAMED).map(name), total: further.length } }),
    ...(path === undefined
      ? {}
      : {
          path,
          rowPaths: rows.map((_, index) => pathText(rowAt(index), redactor)),
          columnPaths: columns.map(pathOf),
        }),
  };
}

function insideOf(redactor: Redactor, step: string | number): Redactor {
  return typeof step === "number" ? redactor : redactor.at(step);
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
  let left = KEY_LIMIT;
  for (let index = from; index < items.length && left > 0; index++) {
    const item = items[index];
    if (item !== null && typeof item === "object") left -= addKeys(item, keys);
    left--;
  }
  return [...keys].slice(known.size);
}
