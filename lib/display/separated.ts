import { JSON_LINES } from "../exchange/mod.ts";
import {
  copyNumbers,
  isRecord,
  notedText,
  noteNames,
  noteNumbers,
  objectOf,
  writtenEntries,
} from "../interpolation/mod.ts";
import { parseJson } from "../json/mod.ts";
import { JSON_TYPE } from "../request/mod.ts";
import { type Block, type Cell, isPlainObject } from "./block.ts";
import { type Row, toTextCell } from "./cell.ts";
import { cutText } from "./compact.ts";
import { NO_ORIGIN, type Origin, stepInto } from "./origin.ts";
import { parseSeparated, separatorOf } from "./parse-separated.ts";
import { recognize } from "./recognize.ts";
import type { Body } from "./text-view.ts";
import type { ViewContext } from "./view-context.ts";

/** How a text separates its values. */
interface Dialect {
  /** Its records, each on a line that ends with a line feed. */
  readonly text: string;
  readonly separator: string;
  /** Whether the first record has the names of the columns. */
  readonly hasHead: boolean;
}

/** Reads the separator from the line `sep=;` of Excel, or else from the media type, or else from the first line. */
function dialectOf({ text: read, mediaType, contentType }: Body): Dialect {
  const lines = read().replace(/^\ufeff/, "");
  const text = lines.includes("\n") ? lines : lines.replaceAll("\r", "\n");
  const hasHead = !/;\s*header\s*=\s*"?absent/i.test(contentType);
  const [line, separator] = /^sep=(.)\r?\n/.exec(text) ?? [];
  if (line !== undefined && separator !== undefined) {
    return { text: text.slice(line.length), separator, hasHead };
  }
  if (mediaType === "text/tab-separated-values") return { text, separator: "\t", hasHead };
  return { text, separator: separatorOf(text), hasHead };
}

/** Displays separated values as a table, with columns named by the first record. */
export function viewSeparated(body: Body, context: ViewContext): readonly Block[] {
  const { limits, redactor } = context;
  const { text, separator, hasHead } = dialectOf(body);
  const parsed = parseSeparated(text, separator, limits.rows + 1);
  const [head = [], ...shown] = hasHead ? parsed.records : [[], ...parsed.records];
  const total = hasHead ? parsed.total - 1 : parsed.total;
  if (parsed.total === 0) return [{ kind: "note", level: "info", text: "Empty table" }];
  const width = shown.reduce((most, { length }) => Math.max(most, length), head.length);
  const shownColumns = Math.min(width, limits.columns);
  // A record may be longer than the first one: its last columns are unnamed.
  const places = Array.from({ length: shownColumns }, (_, index) => index);
  const columns = places.map((at) => cutText(redactor.key(head[at] ?? ""), limits.cell));
  const redactors = places.map((at) => redactor.at(head[at] ?? ""));
  const rows: Cell[][] = [];
  let left = limits.table;
  for (const record of shown) {
    const row = redactors.map((column, at) => toTextCell(record[at] ?? "", limits.cell, column));
    left -= row.reduce((sum, cell) => sum + cell.text.length + 8, 0);
    if (left < 0 && rows.length > 0) break;
    rows.push(row);
  }
  const table: Block = { kind: "table", columns, rows, total, totalColumns: width };
  if (parsed.unclosed === undefined) return [table];
  const note = `The quote of a value in record ${parsed.unclosed} is not closed: the rest of the text is that value`;
  return [{ kind: "note", level: "warning", text: note }, table];
}

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
    return { rows: value.map((item, index) => toRow(item, index, value)), origin, isWrapped };
  }
  if (value instanceof Map) {
    return { rows: [...value].map((entry) => keyedRow(entry, value)), origin: NO_ORIGIN };
  }
  if (!isRecord(value)) return { rows: [toRow(value)], origin: NO_ORIGIN };
  if (Symbol.iterator in value) {
    return {
      rows: Array.from(value as unknown as Iterable<unknown>, (item) => toRow(item)),
      origin: NO_ORIGIN,
    };
  }
  const entries = writtenEntries(value);
  const lists = entries.filter(([, item]) => Array.isArray(item) && item.length > 0);
  const [only] = lists;
  // Listings are often wrapped: `{ "data": [ … ], "total": 9 }`.
  if (lists.length === 1 && only !== undefined && (only[1] as unknown[]).every(isPlainObject)) {
    return toRows(only[1], stepInto(origin, only[0]));
  }
  return { rows: entries.map((entry) => keyedRow(entry, value)), origin: NO_ORIGIN };
}

/** The rows of a body; `undefined` if it is empty, or if its media type has no rows. */
export function rowsOfBody(body: Body): TableRows | undefined {
  if (body.content.length === 0) return undefined;
  const { body: seen } = recognize(body);
  const read = READERS.find(([mediaType]) => mediaType.test(seen.mediaType))?.[1];
  return read?.(seen);
}

const READERS: readonly (readonly [mediaType: RegExp, read: (body: Body) => TableRows])[] = [
  [JSON_LINES, ({ text }) => toRows(linesOf(text()))],
  [JSON_TYPE, (body) => toRows(body.json(), body.origin)],
  [/^text\/(?:csv|tab-separated-values)$/, recordsOf],
];

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

function recordsOf(body: Body): TableRows {
  const { text, separator, hasHead } = dialectOf(body);
  const { records } = parseSeparated(text, separator, Number.POSITIVE_INFINITY);
  const [head = [], ...others] = hasHead ? records : [[], ...records];
  const names = columnNames(head);
  const rows = others.map((record) => {
    const row: Record<string, unknown> = Object.create(null);
    for (const [index, cell] of record.entries()) row[names[index] ?? `#${index + 1}`] = cell;
    noteNames(row, names);
    return row;
  });
  return { rows, origin: NO_ORIGIN, isText: true };
}

/** Repeated names get the number of their column; unnamed columns are named by it. */
function columnNames(head: readonly string[]): readonly string[] {
  const seen = new Set([""]);
  return head.map((name, index) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst ? name : `${name}#${index + 1}`;
  });
}

function keyedRow([key, item]: readonly [unknown, unknown], owner: object): Row {
  const row = toRow(item, String(key), owner);
  return copyNumbers(objectOf<unknown>([["key", key], ...writtenEntries(row)]), row);
}

/**
 * @param key The name of the item in its owner.
 */
function toRow(item: unknown, key: string | number = 0, owner: object = {}): Row {
  if (isPlainObject(item)) return item;
  if (Array.isArray(item)) {
    return copyNumbers(Object.fromEntries(item.map((cell, index) => [index, cell])), item);
  }
  const row = { value: item };
  const text = notedText(owner, key, item);
  if (text !== undefined) noteNumbers(row, { value: text });
  return row;
}
