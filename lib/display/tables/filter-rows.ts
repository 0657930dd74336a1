import type { TableFilter } from "../../exchange/mod.ts";
import { type Column, findColumn, type Row, toCell, UNREDACTED, valueAt } from "../blocks/mod.ts";
import type { PlacedRow } from "./sort-rows.ts";

const MAX_TEXT = 10_000;

/**
 * Returns the rows that match a filter: a function of the row, a text that one of its cells contains, or
 * conditions of columns.
 *
 * @throws {TypeError} No row has a column of the filter.
 */
export function filterRows(rows: readonly Row[], filter: TableFilter | undefined): PlacedRow[] {
  const placed = rows.map((row, place) => ({ row, place }));
  if (filter === undefined) return placed;
  if (typeof filter === "function") return placed.filter(({ row, place }) => filter(row, place));
  if (typeof filter === "string") return placed.filter(({ row }) => contains(row, filter));
  const wanted = Object.entries(filter).map(
    ([name, test]) => [findColumn(rows, name, "filter a table by"), test] as const,
  );
  return placed.filter(({ row }) => wanted.every(([column, test]) => passes(row, column, test)));
}

function contains(row: Row, text: string): boolean {
  const sought = text.toLowerCase();
  return Object.values(row).some((value) => textOf(value).toLowerCase().includes(sought));
}

function passes(row: Row, column: Column, test: unknown): boolean {
  const value = valueAt(row, column);
  if (typeof test === "function") return Boolean(test(value));
  if (test instanceof RegExp) {
    // A global or sticky pattern would continue where it stopped in the previous row.
    test.lastIndex = 0;
    return test.test(textOf(value));
  }
  if (Array.isArray(test)) return test.some((one) => isSame(value, one));
  return isSame(value, test);
}

/** Values are equal if their texts are: numbers, bigints and dates equal their strings, as in CSV. */
function isSame(value: unknown, wanted: unknown): boolean {
  const isMissing = value === null || value === undefined;
  if (isMissing || wanted === null || wanted === undefined) return isMissing && wanted == null;
  return Object.is(value, wanted) || textOf(value) === textOf(wanted);
}

function textOf(value: unknown): string {
  return toCell(value, MAX_TEXT, UNREDACTED).text;
}
