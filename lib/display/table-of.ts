import type { TableShape } from "../client/mod.ts";
import { answerBody } from "./answer-body.ts";
import type { Block } from "./block.ts";
import { viewBody } from "./body.ts";
import { isPlainObject, isRecord } from "./kinds.ts";
import type { Lens } from "./lens.ts";
import { lengthOf, NOWHERE, type Origin, stepInto } from "./origin.ts";
import { viewTable } from "./table.ts";
import { isExchange } from "./value.ts";
import { createView, type View, type ViewOptions } from "./view.ts";

/** How a table is made of a value, and what it may show. */
export interface TableOptions extends TableShape, ViewOptions {}

/** A row of any value. */
type Row = Readonly<Record<string, unknown>>;

/**
 * Shows a value as a table: an array of objects, of arrays or of scalars, a Map, an object of
 * objects, or the body of an exchange.
 *
 * @param value What is to be shown.
 * @param options Which rows and columns, and their order.
 * @throws {TypeError} An option is not what it should be.
 */
export function showTable(value: unknown, options: TableOptions = {}): View {
  check(options);
  const secrets = [...(isExchange(value) ? (value.secrets ?? []) : []), ...(options.secrets ?? [])];
  return createView((lens) => viewTableOf(value, options, lens), { ...options, secrets });
}

function check({ columns, rows, filter }: TableOptions): void {
  if (columns !== undefined && !Array.isArray(columns)) {
    throw new TypeError(
      `Cannot show a table with the columns ${String(columns)}: a list is needed`,
    );
  }
  if (rows !== undefined && !(Number.isInteger(rows) && rows > 0)) {
    throw new TypeError(`Cannot show a table of ${rows} rows: a whole number from 1 is needed`);
  }
  if (filter !== undefined && typeof filter !== "function") {
    throw new TypeError("Cannot show a table with this filter: a function is needed");
  }
}

/** What is to be seen of a value as a table. */
export function viewTableOf(value: unknown, options: TableOptions, lens: Lens): readonly Block[] {
  const { rows: most } = options;
  const wide = most === undefined ? lens : withRows(lens, most);
  if (isExchange(value)) return viewExchangeTable(value, options, wide);
  const { rows, origin } = toRows(value, NOWHERE);
  return [viewRows(rows, origin, options, wide)];
}

function withRows(lens: Lens, rows: number): Lens {
  // Where the bundle had to be shortened, fewer than asked for are left.
  const share = lens.limits.rows / 50;
  return { ...lens, limits: { ...lens.limits, rows: Math.max(1, Math.round(rows * share)) } };
}

function viewExchangeTable(
  exchange: Parameters<typeof answerBody>[0],
  options: TableOptions,
  lens: Lens,
): readonly Block[] {
  const body = answerBody(exchange);
  // Other bodies are tables already, or never.
  if (!/[/+]json$/.test(body.mediaType) || body.bytes.length === 0) return viewBody(body, lens);
  const { rows, origin } = toRows(body.json(), body.origin);
  return [viewRows(rows, origin, options, lens)];
}

function viewRows(rows: readonly Row[], origin: Origin, options: TableOptions, lens: Lens): Block {
  const { columns, filter, sort, descending = false } = options;
  const isChanged = filter !== undefined || sort !== undefined;
  let shown = filter === undefined ? rows : rows.filter(filter);
  if (sort !== undefined) shown = sorted(shown, sort, descending);
  if (columns !== undefined) shown = shown.map((row) => pick(row, columns));
  // A row that moved is no longer where its place says.
  const from = isChanged || columns !== undefined ? NOWHERE : origin;
  return viewTable(shown, lens, from, { rows: lens.limits.table });
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(
    columns.map((name) => [name, Object.hasOwn(row, name) ? row[name] : undefined]),
  );
}

function sorted(rows: readonly Row[], column: string, descending: boolean): readonly Row[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [a[column], b[column]];
    if (isMissing(left) || isMissing(right))
      return Number(isMissing(left)) - Number(isMissing(right));
    return sign * compare(left, right);
  });
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function compare(left: unknown, right: unknown): number {
  const isNumeric = isNumber(left) && isNumber(right);
  const [a, b] = isNumeric ? [left, right] : [String(left), String(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** The rows of a value, and where they come from. */
function toRows(value: unknown, origin: Origin): { rows: readonly Row[]; origin: Origin } {
  if (Array.isArray(value)) {
    if (value.every((item) => isPlainObject(item))) return { rows: value, origin };
    return { rows: value.map(toRow), origin: lengthOf(value, origin) > 0 ? origin : NOWHERE };
  }
  if (value instanceof Map) {
    return { rows: [...value].map(([key, item]) => ({ key, ...toRow(item) })), origin: NOWHERE };
  }
  if (!isRecord(value)) return { rows: [toRow(value)], origin: NOWHERE };
  if (Symbol.iterator in value) {
    return { rows: Array.from(value as unknown as Iterable<unknown>, toRow), origin: NOWHERE };
  }
  const lists = Object.entries(value).filter(([, item]) => Array.isArray(item) && item.length > 0);
  const [only] = lists;
  // A listing is often wrapped: `{ "data": [ … ], "total": 9 }`.
  if (lists.length === 1 && only !== undefined && (only[1] as unknown[]).every(isPlainObject)) {
    return toRows(only[1], stepInto(origin, only[0]));
  }
  const rows = Object.entries(value).map(([key, item]) => ({ key, ...toRow(item) }));
  return { rows, origin: NOWHERE };
}

function toRow(item: unknown): Row {
  if (isPlainObject(item)) return item;
  if (Array.isArray(item)) return Object.fromEntries(item.map((cell, index) => [index, cell]));
  return { value: item };
}
