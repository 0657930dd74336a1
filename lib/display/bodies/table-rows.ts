import { JSON_LINES, parseJson } from "../../exchange/mod.ts";
import { isRecord } from "../../interpolation/mod.ts";
import { JSON_TYPE } from "../../request/mod.ts";
import { isPlainObject, NO_ORIGIN, type Origin, type Row, stepInto } from "../blocks/mod.ts";
import type { Body } from "./body.ts";
import { parseSeparated } from "./separated.ts";

/** The rows of a value, and their origin. */
export interface TableRows {
  readonly rows: readonly Row[];
  readonly origin: Origin;
  /** Whether some items are not objects, so that their column `value` is not a key. */
  readonly isWrapped?: boolean;
  /** Whether the values are texts without a type, as in CSV. */
  readonly isText?: boolean;
}

/** Converts a value to rows: a list, a Map, an iterable, an object of objects, a single value. */
export function toRows(value: unknown, origin: Origin = NO_ORIGIN): TableRows {
  if (Array.isArray(value)) {
    if (value.every((item) => isPlainObject(item))) return { rows: value, origin };
    const isWrapped = !value.every((item) => isPlainObject(item) || Array.isArray(item));
    return { rows: value.map(toRow), origin, isWrapped };
  }
  if (value instanceof Map) {
    return { rows: [...value].map(([key, item]) => ({ key, ...toRow(item) })), origin: NO_ORIGIN };
  }
  if (!isRecord(value)) return { rows: [toRow(value)], origin: NO_ORIGIN };
  if (Symbol.iterator in value) {
    return { rows: Array.from(value as unknown as Iterable<unknown>, toRow), origin: NO_ORIGIN };
  }
  const lists = Object.entries(value).filter(([, item]) => Array.isArray(item) && item.length > 0);
  const [only] = lists;
  // Listings are often wrapped: `{ "data": [ … ], "total": 9 }`.
  if (lists.length === 1 && only !== undefined && (only[1] as unknown[]).every(isPlainObject)) {
    return toRows(only[1], stepInto(origin, only[0]));
  }
  const rows = Object.entries(value).map(([key, item]) => ({ key, ...toRow(item) }));
  return { rows, origin: NO_ORIGIN };
}

/** The rows of a body; `undefined` if it is empty, or if its media type has no rows. */
export function rowsOfBody(body: Body): TableRows | undefined {
  if (body.content.length === 0) return undefined;
  const read = READERS.find(([mediaType]) => mediaType.test(body.mediaType))?.[1];
  return read?.(body);
}

const READERS: readonly (readonly [mediaType: RegExp, read: (body: Body) => TableRows])[] = [
  [JSON_LINES, ({ text }) => toRows(linesOf(text()))],
  [JSON_TYPE, (body) => toRows(body.json(), body.origin)],
  [/^text\/csv$/, ({ text }) => recordsOf(text(), separatorOf(text()))],
  [/^text\/tab-separated-values$/, ({ text }) => recordsOf(text(), "\t")],
];

/** Some programs separate CSV by semicolons, in locales with decimal commas. */
export function separatorOf(text: string): string {
  const first = text.slice(0, 10_000).split("\n", 1)[0] ?? "";
  return first.includes(";") && !first.includes(",") ? ";" : ",";
}

function linesOf(text: string): unknown[] {
  const lines = text
    .replaceAll("\u001e", "\n")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line) => {
    try {
      return parseJson(line);
    } catch {
      // An invalid line is a row of its own.
      return line;
    }
  });
}

function recordsOf(text: string, separator: string): TableRows {
  const { records } = parseSeparated(text, separator, Number.POSITIVE_INFINITY);
  const [head = [], ...body] = records;
  const names = namesOf(head);
  const rows = body.map((record) => {
    const row: Record<string, unknown> = Object.create(null);
    for (const [index, cell] of record.entries()) row[names[index] ?? `#${index + 1}`] = cell;
    return row;
  });
  return { rows, origin: NO_ORIGIN, isText: true };
}

/** Repeated names get the number of their column; unnamed columns are named by it. */
function namesOf(head: readonly string[]): readonly string[] {
  const seen = new Set([""]);
  return head.map((name, index) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst ? name : `${name}#${index + 1}`;
  });
}

function toRow(item: unknown): Row {
  if (isPlainObject(item)) return item;
  if (Array.isArray(item)) return Object.fromEntries(item.map((cell, index) => [index, cell]));
  return { value: item };
}
