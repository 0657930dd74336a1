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
import { recognize } from "./recognize.ts";
import type { Body } from "./text-view.ts";
import type { ViewContext } from "./view-context.ts";

/** The first records of separated values, and the number of all records. */
interface Separated {
  readonly records: readonly (readonly string[])[];
  readonly total: number;
  /** The number of the first record with a quote that is not closed, from 1. */
  readonly unclosed?: number;
}

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

/**
 * Parses CSV (RFC 4180) and TSV. A quoted field may contain separators, line breaks and doubled quotes.
 *
 * @param text The whole text.
 * @param separator The separator of fields.
 * @param most The number of records that are returned; the others are counted.
 */
export function parseSeparated(text: string, separator: string, most: number): Separated {
  const records: string[][] = [];
  let total = 0;
  let unclosed: number | undefined;
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const record = total < most ? [] : undefined;
    const start = at;
    at = readRecord(text, at, separator, record);
    // A blank line is not a record.
    if (/^\r?\n?$/.test(text.slice(start, Math.min(at, start + 3)))) continue;
    total++;
    if (record !== undefined) records.push(record);
    // Only a quote that is not closed hides the end of the text.
    if (at > text.length + 1) unclosed ??= total;
  }
  return { records, total, ...(unclosed === undefined ? {} : { unclosed }) };
}

function readRecord(
  text: string,
  from: number,
  separator: string,
  record: string[] | undefined,
): number {
  // Without quotes a record is a line, which is much faster to find.
  const lineEnd = indexOr(text, "\n", from);
  const line = text.slice(from, lineEnd);
  if (!line.includes('"')) {
    if (record !== undefined) {
      // One by one: a million columns as arguments of one call would overflow the stack.
      for (const field of withoutReturn(line).split(separator)) record.push(field);
    }
    return lineEnd + 1;
  }
  for (let at = from; ; ) {
    const { value, next } = readField(text, at, separator);
    record?.push(value);
    if (text[next] !== separator) return next + 1;
    at = next + 1;
  }
}

/** Reads a field; `next` is the index of its separator or line break. */
function readField(text: string, from: number, separator: string): { value: string; next: number } {
  let value = "";
  let at = from;
  if (text[at] === '"') {
    for (at++; ; at += 2) {
      const end = indexOr(text, '"', at);
      value += text.slice(at, end);
      at = end;
      if (text[at + 1] !== '"') break;
      value += '"';
    }
    // A quote that is not closed takes the rest of the text, and is told by an index beyond it.
    if (at >= text.length) return { value, next: text.length + 1 };
    at++;
  }
  // Not by indexOf: it would search a missing separator to the end of the text for each field.
  let next = at;
  while (next < text.length && text[next] !== separator && text[next] !== "\n") next++;
  return { value: value + withoutReturn(text.slice(at, next)), next };
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

function indexOr(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index === -1 ? text.length : index;
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

/** The separator that occurs most in the first line: semicolons in locales with decimal commas, tabs, bars. */
function separatorOf(text: string): string {
  const first = (text.slice(0, 10_000).split("\n", 1)[0] ?? "").replace(/"[^"]*"/g, "");
  let [separator, most] = [",", first.split(",").length];
  for (const other of [";", "\t", "|"]) {
    const count = first.split(other).length;
    if (count > most) [separator, most] = [other, count];
  }
  return separator;
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
