import type { Exchange, RowsShape, ShownView, TableFilter, TableShape } from "../exchange/mod.ts";
import { membersOf, type Value, valueAt } from "../interpolation/mod.ts";
import { answerBody, forAnswer } from "./answer-body.ts";
import { type Block, isNumberText } from "./block.ts";
import { type Column, findColumn, type Row, toCell } from "./cell.ts";
import { compactJson } from "./compact.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { rowsOfBody, type TableRows, toRows } from "./separated.ts";
import { type TablePlan, viewTable } from "./structure.ts";
import { isExchange } from "./value.ts";
import { createView, displayAs, type View, type ViewOptions } from "./view.ts";
import { viewBody } from "./view-body.ts";
import { UNREDACTED, type ViewContext } from "./view-context.ts";

/** Options of {@link showTable}. */
export interface TableOptions extends TableShape, ViewOptions {}

/**
 * Displays a value as a table, as {@link Views.table} describes.
 *
 * @throws {TypeError} An option is invalid, or names a column that no row has.
 */
export function showTable(value: unknown, options: TableOptions = {}): View {
  check(options);
  const secrets = [...(isExchange(value) ? (value.secrets ?? []) : []), ...(options.secrets ?? [])];
  if (!isExchange(value)) {
    for (const one of secrets)
      if (typeof one === "object") one.learn({ kind: "value", value }, "person");
  }
  const table = arrange(value, options);
  const blocks = (context: ViewContext): readonly Block[] =>
    isExchange(value)
      ? viewArranged(value, table, options, forAnswer(context, value))
      : viewArranged(value, table, options, context);
  return createView(blocks, { ...options, secrets });
}

/** The most rows of a list that a program has created. */
const ROWS = 200;

/**
 * Gives a value a display: a table.
 *
 * @param rows Creates the rows when the value is displayed.
 */
export function withRowsView<T extends object>(
  value: T,
  rows: () => readonly object[],
  { summary, times = [] }: RowsShape,
  options: ViewOptions = {},
): T & ShownView {
  const view = createView((context) => {
    const heading: readonly Block[] =
      summary === undefined
        ? []
        : [{ kind: "note", level: "info", text: context.redactor.text(summary) }];
    const table = showTable(rows(), { ...options, rows: ROWS }).blocks(context);
    return [...heading, ...table.map((block) => withTimes(block, times))];
  }, options);
  return displayAs(value, view);
}

function withTimes(block: Block, names: readonly string[]): Block {
  if (block.kind !== "table") return block;
  const times = block.columns.flatMap((name, index) => (names.includes(name) ? [index] : []));
  return { ...block, times };
}

/** The rows, sorted and filtered once for all formats. */
interface Arranged {
  readonly rows: readonly Row[];
  readonly plan: TablePlan;
  readonly origin: TableRows["origin"];
}

const WANTS = ["columns", "sort", "filter"] as const;

function check({ columns, rows, sort, filter }: TableOptions): void {
  if (columns !== undefined && !Array.isArray(columns)) {
    throw new TypeError(`Cannot show a table with the columns ${String(columns)}: give a list`);
  }
  if (rows !== undefined && !(Number.isInteger(rows) && rows > 0)) {
    throw new TypeError(`Cannot show a table of ${rows} rows: give a whole number from 1`);
  }
  if (sort !== undefined && typeof sort !== "string" && !Array.isArray(sort)) {
    throw new TypeError(
      `Cannot sort a table by ${String(sort)}: give the name of a column, or a list of names`,
    );
  }
  const isFilter = ["function", "string", "object"].includes(typeof filter) && filter !== null;
  if (filter !== undefined && !isFilter) {
    throw new TypeError(
      "Cannot show a table with this filter: give a function, a text or an object of columns",
    );
  }
}

function arrange(value: unknown, options: TableOptions): Arranged | undefined {
  const body = isExchange(value) ? answerBody(value) : undefined;
  const found = body === undefined ? toRows(value) : rowsOfBody(body);
  if (found === undefined) {
    const wanted = WANTS.find((name) => options[name] !== undefined);
    if (wanted === undefined) return undefined;
    const what =
      body?.content.length === 0 ? "is empty" : `is ${body?.mediaType || "of an unknown type"}`;
    throw new TypeError(`Cannot show a table with ${wanted}: the body ${what} and has no rows`);
  }
  const { rows, origin, isWrapped = false, isText = false } = found;
  const { filter, sort, columns } = options;
  const shownColumns = columns?.map((name) => findColumn(rows, name, "show the column"));
  const keys = sort === undefined ? [] : [sort].flat().map((name) => toKey(rows, name, options));
  if (filter === undefined && keys.length === 0) {
    return { rows, origin, plan: planOf(undefined, shownColumns, { isWrapped, isText }) };
  }
  const placed = filterRows(rows, filter);
  const ordered = keys.length === 0 ? placed : sortRows(placed, keys);
  const places = ordered.map(({ place }) => place);
  return {
    rows: ordered.map(({ row }) => row),
    origin,
    plan: planOf(places, shownColumns, { isWrapped, isText }),
  };
}

function planOf(
  places: readonly number[] | undefined,
  columns: readonly Column[] | undefined,
  kind: Pick<TablePlan, "isWrapped" | "isText">,
): TablePlan {
  return { ...kind, ...(places && { places }), ...(columns && { columns }) };
}

function toKey(rows: readonly Row[], name: string, { descending = false }: TableOptions): SortKey {
  const action = "sort a table by";
  const isMinus = typeof name === "string" && /^-./.test(name);
  if (!isMinus || rows.some((row) => Object.hasOwn(row, name))) {
    return { column: findColumn(rows, name, action), descending };
  }
  return { column: findColumn(rows, name.slice(1), action), descending: !descending };
}

function viewArranged(
  value: unknown,
  table: Arranged | undefined,
  { rows: most }: TableOptions,
  context: ViewContext,
): readonly Block[] {
  const wide = most === undefined ? context : withRows(context, most);
  if (table === undefined) return viewBody(answerBody(value as Exchange), wide);
  const { rows, origin, plan } = table;
  const budget = { rows: wide.limits.table };
  return [viewTable(rows, wide, origin, budget, plan)];
}

function withRows(context: ViewContext, rows: number): ViewContext {
  // A bundle that had to be shortened shows fewer rows than asked for.
  const share = context.limits.rows / DEFAULT_LIMITS.rows;
  return { ...context, limits: { ...context.limits, rows: Math.max(1, Math.round(rows * share)) } };
}

const MAX_FILTERED = 10_000;

/**
 * Returns the rows that match a filter: a function of the row, a text that one of its cells contains, or
 * conditions of columns.
 *
 * @throws {TypeError} No row has a column of the filter.
 */
function filterRows(rows: readonly Row[], filter: TableFilter | undefined): PlacedRow[] {
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
  return [...membersOf(row)].some(([, value]) => textOf(value).toLowerCase().includes(sought));
}

function passes(row: Row, column: Column, test: unknown): boolean {
  const value = valueAt(row as Value, column);
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
  return value === undefined ? "" : toCell(value, MAX_FILTERED, UNREDACTED).text;
}

/** A row and its index among all rows. */
interface PlacedRow {
  readonly row: Row;
  readonly place: number;
}

/** A column to sort by, and the direction. */
interface SortKey {
  readonly column: Column;
  readonly descending: boolean;
}

/** Numbers come before dates before texts; missing values come last in both directions. */
type Rank = 0 | 1 | 2 | 3 | 4 | 5;
type Sortable = readonly [rank: Rank, value: number | bigint | string];

const MISSING: Sortable = [5, 0];
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?)?$/;
const MAX_SORTED = 200;

let collator: Intl.Collator | undefined;

/** "item 9" comes before "item 10", and "ada" next to "Ada", whatever the locale of the machine. */
function compareTexts(a: string, b: string): number {
  // Created when needed, which takes as long as displaying a small response.
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}

/** Sorts rows by columns, in order of precedence; equal rows keep their order. */
function sortRows(rows: readonly PlacedRow[], keys: readonly SortKey[]): PlacedRow[] {
  const decorated = rows.map((placed) => ({
    placed,
    values: keys.map(({ column }) => toSortable(valueAt(placed.row as Value, column))),
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
  return [4, compactJson(value, MAX_SORTED, UNREDACTED)];
}
