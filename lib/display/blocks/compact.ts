import { isNumberText } from "./kinds.ts";
import type { Lens } from "./lens.ts";

const DEEPEST = 64;

/**
 * Writes a value as JSON on one line, with all digits of numbers, cut with `…`. The length bounds the work,
 * whatever the size of the value; a cycle is written until it is cut.
 */
export function compactJson(value: unknown, length: number, hide: Lens["hide"]): string {
  const parts: string[] = [];
  let written = 0;
  const put = (part: string): void => {
    parts.push(part);
    written += part.length;
  };
  const full = (): boolean => written > length;

  const write = (item: unknown, depth: number): void => {
    const scalar = toScalar(item, length, hide);
    if (scalar !== undefined) put(scalar);
    else if (depth > DEEPEST) put("…");
    else if (Array.isArray(item)) writeList(item, depth);
    else if (item instanceof Set) writeList([...item], depth);
    else if (item instanceof Map) writeEntries(item, depth);
    else writeEntries(entriesOf(item as object), depth);
  };
  const writeList = (items: readonly unknown[], depth: number): void => {
    put("[");
    for (let index = 0; index < items.length && !full(); index++) {
      if (index > 0) put(",");
      write(items[index], depth + 1);
    }
    put("]");
  };
  const writeEntries = (entries: Iterable<readonly [unknown, unknown]>, depth: number): void => {
    put("{");
    let first = true;
    for (const [key, inner] of entries) {
      if (full()) break;
      put(`${first ? "" : ","}${quote(hide(keyText(key, length)), length)}:`);
      write(inner, depth + 1);
      first = false;
    }
    put("}");
  };

  write(value, 0);
  return cutText(parts.join(""), length);
}

function* entriesOf(object: object): Iterable<readonly [string, unknown]> {
  for (const key in object) {
    if (Object.hasOwn(object, key)) yield [key, Reflect.get(object, key)];
  }
}

/** A Map may have keys of any kind. */
function keyText(key: unknown, length: number): string {
  return typeof key === "string" ? key : compactJson(key, length, (text) => text);
}

/** Cuts a text with `…`; surrogate pairs are not split. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = Math.max(0, length - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end)}…`;
}

function toScalar(value: unknown, length: number, hide: Lens["hide"]): string | undefined {
  switch (typeof value) {
    case "string":
      return quote(hide(value), length);
    case "object":
      if (value === null) return "null";
      if (isNumberText(value)) return hide(value.toString());
      if (value instanceof Date) return quote(dateText(value), length);
      return undefined;
    case "function":
      return value.name === "" ? "function" : `function ${value.name}`;
    default:
      return hide(String(value));
  }
}

/** A date in ISO 8601, or `Invalid Date`. */
export function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? "Invalid Date" : date.toISOString();
}

function quote(text: string, length: number): string {
  return text.length > length
    ? JSON.stringify(text.slice(0, length)).slice(0, -1)
    : JSON.stringify(text);
}
