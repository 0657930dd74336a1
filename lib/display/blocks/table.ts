import type { Redactor } from "../../secrets/mod.ts";
import type { Cell, TableBlock } from "./block.ts";
import { toCell } from "./cell.ts";
import { type Column, valueAt } from "./columns.ts";
import { cutText } from "./compact.ts";
import { lengthOf, type Origin, pathText, stepInto } from "./origin.ts";
import type { ViewContext } from "./view-context.ts";

// Keys that are looked at in rows further down: a million rows are not read to their end.
const MOST_KEYS = 100_000;
const NAMED = 5;

/** Which rows and columns of a list are meant, where it is not all of them as they stand. */
export interface TablePlan {
  /** The place of each row in the list that it comes from; its own unless told. */
  readonly places?: readonly number[];
  /** The columns; those of the rows unless told. */
  readonly columns?: readonly Column[];
  /** Some rows were no objects, so that no column is a way into them. */
  readonly isWrapped?: boolean;
}

/**
 * An array of objects as a table: its columns are the keys of the rows shown, in the order in which
 * they appear. Keys that only further rows have are named, as far as a bounded look reaches.
 */
export function viewTable(
  items: readonly object[],
  { limits, redactor }: ViewContext,
  origin: Origin,
  budget: { rows: number },
  { places, columns: chosen, isWrapped = false }: TablePlan = {},
): TableBlock {
  const first = items.slice(0, limits.rows);
  const keys = new Set<string>();
  if (chosen === undefined) for (const item of first) addKeys(item, keys);
  const all = chosen ?? [...keys].map((key): Column => ({ name: key, steps: [key] }));
  const columns = all.slice(0, limits.columns);
  const redactors = columns.map(({ steps }) => steps.reduce(insideOf, redactor));
  const rows: Cell[][] = [];
  for (const item of first) {
    const row = columns.map((column, at) =>
      toCell(valueAt(item, column), limits.cell, redactors[at] ?? redactor),
    );
    budget.rows -= row.reduce((sum, cell) => sum + cell.text.length + 8, 0);
    if (budget.rows < 0 && rows.length > 0) break;
    rows.push(row);
  }
  const name = (key: string): string => cutText(redactor.key(key), limits.cell);
  const further = chosen === undefined ? furtherKeys(items, limits.rows, keys) : [];
  const rowAt = (index: number): Origin => stepInto(origin, places?.[index] ?? index);
  // A column is shown by the first row that has a value there.
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
  let left = MOST_KEYS;
  for (let index = from; index < items.length && left > 0; index++) {
    const item = items[index];
    if (item !== null && typeof item === "object") left -= addKeys(item, keys);
    left--;
  }
  return [...keys].slice(known.size);
}
