import type { Exchange, RowsShape, ShownView, TableShape } from "../exchange/mod.ts";
import { answerBody } from "./answer-body.ts";
import {
  type Block,
  type Column,
  DEFAULT_LIMITS,
  findColumn,
  forData,
  type Row,
  type TablePlan,
  type ViewContext,
  viewTable,
} from "./blocks/mod.ts";
import { rowsOfBody, type TableRows, toRows, viewBody } from "./bodies/mod.ts";
import { filterRows, type SortKey, sortRows } from "./tables/mod.ts";
import { isExchange } from "./value.ts";
import { createView, displayAs, type View, type ViewOptions } from "./view.ts";

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
  const table = arrange(value, options);
  const blocks = (context: ViewContext): readonly Block[] =>
    viewArranged(value, table, options, context);
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
  const heading: readonly Block[] =
    summary === undefined ? [] : [{ kind: "note", level: "info", text: summary }];
  const view = createView((context) => {
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
  const inside = isExchange(value) ? forData(wide, rows, answerBody(value).masker(context)) : wide;
  return [viewTable(rows, inside, origin, budget, plan)];
}

function withRows(context: ViewContext, rows: number): ViewContext {
  // A bundle that had to be shortened shows fewer rows than asked for.
  const share = context.limits.rows / DEFAULT_LIMITS.rows;
  return { ...context, limits: { ...context.limits, rows: Math.max(1, Math.round(rows * share)) } };
}
