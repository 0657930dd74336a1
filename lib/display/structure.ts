import {
  isRecord,
  itemsOf,
  keysOf,
  membersOf,
  readMember,
  readStep,
  sizeOf,
} from "../interpolation/mod.ts";
import { type Redactor, UNREDACTED } from "../secrets/mod.ts";
import {
  type Cell,
  type Field,
  type FieldsBlock,
  isPlainObject,
  type TableBlock,
} from "./block.ts";
import { type Column, isScalar, toCell, toTextCell } from "./cell.ts";
import { CIRCULAR, cutText, shownKey, titleOf } from "./compact.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { lengthOf, NO_ORIGIN, type Origin, pathText, stepInto } from "./origin.ts";
import { formatCount } from "./units.ts";
import type { ViewContext } from "./view-context.ts";

/**
 * Displays an object or an array: an array of objects is a table, everything else is keys and values, nested
 * as far as the limits allow.
 */
export function viewStructure(
  value: object,
  context: ViewContext,
  origin: Origin = NO_ORIGIN,
): FieldsBlock | TableBlock {
  const budget = { fields: context.limits.fields, rows: context.limits.table };
  return viewLevel(value, { context, budget, parents: [] }, origin);
}

/** What all levels of a structure together may still show. */
interface Budget {
  fields: number;
  rows: number;
}

interface Place {
  readonly context: ViewContext;
  readonly budget: Budget;
  /** The objects that contain the place. */
  readonly parents: readonly object[];
}

function viewLevel(value: object, outer: Place, origin: Origin): FieldsBlock | TableBlock {
  const place = { ...outer, parents: [...outer.parents, value] };
  if (!Array.isArray(value)) return viewObject(value, place, origin);
  const { rows, columns } = place.context.limits;
  return columns > 0 && isTabular(value, rows)
    ? viewTable(value, place.context, origin, place.budget)
    : viewList(value, place, origin);
}

function viewObject(value: object, place: Place, origin: Origin): FieldsBlock {
  const fields: Field[] = [];
  let total = 0;
  for (const key of keysOf(value)) {
    total++;
    if (place.budget.fields <= 0) continue;
    const context = { ...place.context, redactor: place.context.redactor.at(key) };
    fields.push(
      viewField(key, readMember(value, key), { ...place, context }, stepInto(origin, key)),
    );
  }
  const whole = origin.total?.(value) ?? total;
  return { kind: "fields", of: "object", fields, total: whole, ...pathOf(origin, place.context) };
}

function viewList(items: readonly unknown[], place: Place, origin: Origin): FieldsBlock {
  const { context, budget } = place;
  const fields: Field[] = [];
  for (const item of itemsOf(items, context.limits.rows)) {
    if (budget.fields <= 0) break;
    const index = fields.length;
    fields.push(viewField(String(index), item, place, stepInto(origin, index)));
  }
  const total = lengthOf(items, origin);
  return { kind: "fields", of: "list", fields, total, ...pathOf(origin, context) };
}

function pathOf(origin: Origin, { redactor }: ViewContext): { path?: string } {
  const path = pathText(origin, redactor);
  return path === undefined ? {} : { path };
}

function viewField(key: string, value: unknown, place: Place, origin: Origin): Field {
  const { context, budget, parents } = place;
  budget.fields--;
  const { limits, redactor } = context;
  const named = { key: shownKey(redactor.key(key), limits.cell), ...pathOf(origin, context) };
  if (parents.includes(value as object)) {
    return { ...named, value: { type: "text", text: CIRCULAR } };
  }
  const isDeepest = parents.length >= limits.depth;
  const folded = isScalar(value) || isDeepest || isEmpty(value) || isShortList(value);
  if (folded) {
    return { ...named, value: toCell(value, longest(value, context), redactor, limits.line) };
  }
  const nested = viewLevel(value as object, place, origin);
  const title = cutText(redactor.text(titleOf(value as object)), limits.cell);
  const text = title === "" ? countOf(nested) : `${title}, ${countOf(nested)}`;
  return { ...named, value: { type: "text", text }, nested };
}

/** A text beside its key has more room than a cell of a table. */
function longest(value: unknown, { limits }: ViewContext): number {
  return typeof value === "string" ? limits.cell * 4 : limits.cell;
}

function isTabular(items: readonly unknown[], rows: number): boolean {
  const shown = [...itemsOf(items, rows)];
  const [first] = shown;
  if (shown.length === 1 && isPlainObject(first) && isWide(first)) return false;
  // A null in place of an object is a row of its own.
  return shown.some(isPlainObject) && shown.every((item) => item === null || isPlainObject(item));
}

/** The columns, and the characters, that one line has room for. */
const LINE = { columns: 8, width: 100 };

/** Whether one record is easier to read as keys and values, one below the other, than as a row of a table. */
function isWide(record: object): boolean {
  let columns = 0;
  let width = 0;
  for (const [key, value] of membersOf(record)) {
    const { text } = toCell(value, LINE.width, UNREDACTED);
    columns++;
    width += Math.max(key.length, text.length) + 2;
    if (columns > LINE.columns || width > LINE.width) return true;
  }
  return false;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return sizeOf(value) === 0;
  return !isRecord(value) || keysOf(value).next().done === true;
}

/** Whether a value is a list of a few scalars, which `["a","b"]` shows better than lines do. */
export function isShortList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || sizeOf(value) > 10) return false;
  return [...itemsOf(value)].every(
    (item) => isScalar(item) && (typeof item !== "string" || item.length <= 20),
  );
}

function countOf(block: FieldsBlock | TableBlock): string {
  const noun = block.kind === "table" ? "row" : block.of === "list" ? "item" : "key";
  return formatCount(block.total, noun);
}

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
  items: readonly (object | null)[],
  { limits, redactor }: ViewContext,
  origin: Origin,
  budget: { rows: number },
  { places, columns: chosen, isWrapped = false, isText = false }: TablePlan = {},
): TableBlock {
  const first = [...itemsOf(items, limits.rows)] as (object | null)[];
  const keys = new Set<string>();
  if (chosen === undefined) for (const item of first) if (item !== null) addKeys(item, keys);
  const all = chosen ?? [...keys].map((key): Column => ({ name: key, steps: [key] }));
  const columns = all.slice(0, limits.columns);
  const redactors = columns.map(({ steps }) => steps.reduce(insideOf, redactor));
  const rows: Cell[][] = [];
  for (const item of first) {
    const row = columns.map((column, at) => {
      if (item === null) return at === 0 ? NULL_ROW : NO_CELL;
      const value = column.steps.reduce<unknown>(readStep, item);
      if (value === undefined && !hasMember(item, column)) return NO_CELL;
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
  const name = (key: string): string => shownKey(redactor.key(key), limits.cell);
  const further = chosen === undefined ? furtherKeys(items, limits.rows, keys) : [];
  const rowAt = (index: number): Origin => stepInto(origin, places?.[index] ?? index);
  // The path of a column is that of the first row with a value in it.
  const pathOf = (column: Column): string | undefined => {
    if (isWrapped) return undefined;
    const index = first.findIndex(
      (item) => item !== null && column.steps.reduce<unknown>(readStep, item) !== undefined,
    );
    return index < 0 ? undefined : pathText(column.steps.reduce(stepInto, rowAt(index)), redactor);
  };
  const path = pathText(origin, redactor);
  const total = places === undefined ? lengthOf(items, origin) : items.length;
  return {
    kind: "table",
    columns: columns.map((column) => name(column.name)),
    rows,
    total,
    totalColumns: all.length,
    ...(rows.length === DEFAULT_LIMITS.rows && total > rows.length && { more: moreRows(total) }),
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

/** The cell of a row that lacks the column. */
const NULL_ROW: Cell = { type: "null", text: "null" };
const NO_CELL: Cell = { type: "text", text: "" };

/** Whether a row has a member of this name, whatever it is. */
function hasMember(item: object, { steps }: Column): boolean {
  return steps.length === 1 && Object.hasOwn(item, steps[0] ?? "");
}

/** The most rows that are proposed: more of them would not fit into an output. */
const MOST_ROWS = 500;

/** A call that shows more rows of the value. What it is called is not known here, and the last response is soon another. */
function moreRows(total: number): string {
  return `client.table(…, { rows: ${Math.min(total, MOST_ROWS)} })`;
}

function insideOf(redactor: Redactor, step: string | number): Redactor {
  return typeof step === "number" ? redactor : redactor.at(step);
}

function addKeys(item: object, keys: Set<string>): number {
  let looked = 0;
  for (const key of keysOf(item)) {
    looked++;
    keys.add(key);
  }
  return looked;
}

function furtherKeys(
  items: readonly (object | null)[],
  from: number,
  known: ReadonlySet<string>,
): string[] {
  const keys = new Set(known);
  let left = KEY_LIMIT;
  for (let index = from; index < items.length && left > 0; index++) {
    const item = readMember(items, index);
    if (item !== null && typeof item === "object") left -= addKeys(item, keys);
    left--;
  }
  return [...keys].slice(known.size);
}
