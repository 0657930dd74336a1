import {
  type Column,
  compactJson,
  isNumberText,
  type Row,
  UNREDACTED,
  valueAt,
} from "../blocks/mod.ts";

/** A row and its index among all rows. */
export interface PlacedRow {
  readonly row: Row;
  readonly place: number;
}

/** A column to sort by, and the direction. */
export interface SortKey {
  readonly column: Column;
  readonly descending: boolean;
}

/** Numbers come before dates before texts; missing values come last in both directions. */
type Rank = 0 | 1 | 2 | 3 | 4 | 5;
type Sortable = readonly [rank: Rank, value: number | bigint | string];

const MISSING: Sortable = [5, 0];
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?)?$/;
const MAX_TEXT = 200;

let collator: Intl.Collator | undefined;

/** "item 9" comes before "item 10", and "ada" next to "Ada", whatever the locale of the machine. */
function compareTexts(a: string, b: string): number {
  // Created when needed, which takes as long as displaying a small response.
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}

/** Sorts rows by columns, in order of precedence; equal rows keep their order. */
export function sortRows(rows: readonly PlacedRow[], keys: readonly SortKey[]): PlacedRow[] {
  const decorated = rows.map((placed) => ({
    placed,
    values: keys.map(({ column }) => toSortable(valueAt(placed.row, column))),
  }));
  decorated.sort((a, b) => {
    for (const [index, { descending }] of keys.entries()) {
      const order = compare(a.values[index] ?? MISSING, b.values[index] ?? MISSING, descending);
      if (order !== 0) return order;
    }
    return 0;
  });
  return decorated.map(({ placed }) => placed);
}

function compare([rankA, a]: Sortable, [rankB, b]: Sortable, descending: boolean): number {
  if (rankA === MISSING[0] || rankB === MISSING[0]) return rankA - rankB;
  const order = rankA - rankB || compareValues(a, b);
  return descending ? -order : order;
}

function compareValues(a: Sortable[1], b: Sortable[1]): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function toSortable(value: unknown): Sortable {
  switch (typeof value) {
    case "number":
      return Number.isNaN(value) ? MISSING : [0, value];
    case "bigint":
      return [0, value];
    case "string":
      return textToSortable(value);
    case "boolean":
      return [3, Number(value)];
    case "undefined":
      return MISSING;
    default:
      return objectToSortable(value);
  }
}

/** Numeric strings and dates are sorted by value: APIs write large numbers as strings, CSV all of them. */
function textToSortable(text: string): Sortable {
  if (text === "") return MISSING;
  if (NUMBER.test(text)) return [0, Number(text)];
  const time = DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? [2, text] : [1, time];
}

function objectToSortable(value: unknown): Sortable {
  if (value === null) return MISSING;
  if (isNumberText(value)) return [0, value.valueOf() as number | bigint];
  if (value instanceof Date) {
    const time = value.getTime();
    return Number.isNaN(time) ? MISSING : [1, time];
  }
  return [4, compactJson(value, MAX_TEXT, UNREDACTED)];
}
