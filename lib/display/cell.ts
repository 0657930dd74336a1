import {
  isDate,
  isRecord,
  nearNames,
  parsePath,
  type Value,
  valueAt,
} from "../interpolation/mod.ts";
import type { Redactor } from "../secrets/mod.ts";
import { type Cell, type CellType, isNumberText } from "./block.ts";
import { compactJson, cutText, dateText, isOpaque, numberText } from "./compact.ts";
import { toVisibleLine } from "./visible.ts";

/**
 * Converts a value to a cell; arrays and objects become compact JSON.
 *
 * @param most Characters of the full text of a cell that is shortened.
 */
export function toCell(
  value: unknown,
  length: number,
  redactor: Redactor,
  most: number = length,
): Cell {
  switch (typeof value) {
    case "string":
      return shortCell("string", redactor.text(value), length, most);
    case "number":
    case "bigint":
      return shortCell("number", redactor.number(numberText(value)), length);
    case "boolean":
      return { type: "boolean", text: String(value) };
    case "undefined":
      return { type: "null", text: "undefined" };
    case "object":
      if (value === null) return { type: "null", text: "null" };
      if (isOpaque(value)) break;
      if (isDate(value)) return { type: "text", text: redactor.text(dateText(value)) };
      if (isNumberText(value))
        return shortCell("number", redactor.number(value.toString()), length);
      return shortCell(
        "structure",
        compactJson(value, Math.max(length, most), redactor),
        length,
        most,
      );
  }
  return { type: "text", text: compactJson(value, length, redactor) };
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Converts a text that has no type, such as one of CSV; it is a number if it reads as one. */
export function toTextCell(text: string, length: number, redactor: Redactor): Cell {
  return NUMBER.test(text)
    ? shortCell("number", redactor.number(text), length)
    : shortCell("text", redactor.text(text), length);
}

/**
 * A cell of a text that is masked already.
 *
 * @param most Characters of the full text of a cell that is shortened.
 */
export function shortCell(
  type: CellType,
  text: string,
  length: number,
  most: number = length,
): Cell {
  const shown = { type, text: cutText(text, length) };
  return text.length <= length || most <= length ? shown : { ...shown, full: cutText(text, most) };
}

/** Whether a value has no parts. */
export function isScalar(value: unknown): boolean {
  const isObject = typeof value === "object" && value !== null;
  return !isObject || isOpaque(value) || isDate(value) || isNumberText(value);
}

/** A row of a table. */
export type Row = Readonly<Record<string, unknown>>;

/** A column of a table: a key of its rows, or a path into a value. */
export interface Column {
  readonly name: string;
  readonly steps: readonly (string | number)[];
}

const MAX_NAMES = 1_000;

/**
 * Finds a column by its name: the key of a row, or else a path such as `address.city` or `tags[0]`.
 *
 * @param rows All rows of the table.
 * @param name The key or path.
 * @param action What the column is for, as the error says it.
 * @throws {TypeError} No row has such a column; the message suggests similar names.
 */
export function findColumn(rows: readonly Row[], name: string, action: string): Column {
  if (typeof name !== "string") {
    throw new TypeError(`Cannot ${action} ${String(name)}: give the name of a column`);
  }
  const key: Column = { name, steps: [name] };
  if (rows.length === 0 || rows.some((row) => Object.hasOwn(row, name))) return key;
  const { steps, query } = parsePath(name) ?? {};
  if (steps !== undefined && query === undefined) {
    const path: Column = { name, steps };
    if (rows.some((row) => valueAt(row as Value, path) !== undefined)) return path;
  }
  throw new TypeError(
    `Cannot ${action} ${JSON.stringify(name)}: no row has this column; ${advise(rows, name)}`,
  );
}

function advise(rows: readonly Row[], name: string): string {
  const known = new Set<string>();
  for (const row of rows.slice(0, MAX_NAMES)) {
    for (const key of Object.keys(row)) {
      known.add(key);
      const inner = row[key];
      if (isRecord(inner)) for (const below of Object.keys(inner)) known.add(`${key}.${below}`);
      if (known.size > MAX_NAMES) break;
    }
  }
  const near = nearNames(name, known);
  if (near.length > 0) return `did you mean ${near.map((it) => JSON.stringify(it)).join(" or ")}?`;
  const first = [...known].filter((it) => !it.includes(".")).slice(0, 10);
  return `the columns are ${first.map((it) => JSON.stringify(it)).join(", ")}`;
}

const NUMBER_TEXT = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?n?…?`;
/** Strings that look like another value, or like none. Masked texts begin with two braces. */
const AMBIGUOUS = new RegExp(
  String.raw`^(?:\s.*|.*\s|["[].*|\{(?!\{).*|true|false|null|undefined|NaN|-?Infinity|${NUMBER_TEXT})?$`,
  "si",
);
/** A longer string is not mistaken for another value. */
const LONGEST = 1_000;
const LINE_BREAK = /[\n\r\t\u2028\u2029]/;

/**
 * The text of a cell on one line. A string that could be read as another value or as none is written with
 * quotes, as is any text with line breaks, which the escapes of JSON show.
 */
export function cellText({ text, type }: Cell): string {
  const isQuoted = LINE_BREAK.test(text) || (type === "string" && AMBIGUOUS.test(text));
  return toVisibleLine(isQuoted ? JSON.stringify(text) : text);
}

/** The text of a key or of a column on one line. */
export function nameText(name: string): string {
  return cellText({ text: name, type: "text" });
}

/** A string as the result of a cell: with quotes if it could be read as another value or as none. */
export function stringText(text: string): string {
  const isPlain = text.length > LONGEST || text.includes("\n") || !AMBIGUOUS.test(text);
  return isPlain ? text : JSON.stringify(text);
}
