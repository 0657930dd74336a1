import { parseJson } from "../../exchange/mod.ts";
import type { Row } from "../blocks/mod.ts";
import { isPlainObject, isRecord, NOWHERE, type Origin, stepInto } from "../blocks/mod.ts";
import type { Body } from "./body.ts";
import { parseSeparated } from "./separated.ts";

/** The rows of a value, and where they come from. */
export interface TableRows {
  readonly rows: readonly Row[];
  readonly origin: Origin;
  /** Some rows hold what is no object: their column `value` is no key of it. */
  readonly isWrapped?: boolean;
}

/** Any value as rows: a list, a Map, what can be walked through, an object of objects, one value. */
export function toRows(value: unknown, origin: Origin = NOWHERE): TableRows {
  if (Array.isArray(value)) {
    if (value.every((item) => isPlainObject(item))) return { rows: value, origin };
    const isWrapped = !value.every((item) => isPlainObject(item) || Array.isArray(item));
    return { rows: value.map(toRow), origin, isWrapped };
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

/** The rows of a body; nothing where its media type has none, or where it is empty. */
export function rowsOfBody(body: Body): TableRows | undefined {
  if (body.content.length === 0) return undefined;
  const read = READERS.find(([mediaType]) => mediaType.test(body.mediaType))?.[1];
  return read?.(body);
}

const READERS: readonly (readonly [mediaType: RegExp, read: (body: Body) => TableRows])[] = [
  [
    /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|json-seq)$/,
    ({ text }) => toRows(linesOf(text())),
  ],
  [/[/+]json$/, (body) => toRows(body.json(), body.origin)],
  [/^text\/csv$/, ({ text }) => recordsOf(text(), separatorOf(text()))],
  [/^text\/tab-separated-values$/, ({ text }) => recordsOf(text(), "\t")],
];

/** Some programs write CSV with semicolons, where the comma is for decimals. */
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
      // One broken line is a row of its own; the rest is none the worse for it.
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
  return { rows, origin: NOWHERE };
}

/** Two columns of one name are told apart by their number; those without one, and beyond the head, have only that. */
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
