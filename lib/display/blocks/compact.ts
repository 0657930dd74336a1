import { type Redactor, UNREDACTED } from "../../secrets/mod.ts";
import { isNumberText } from "./kinds.ts";
import { classNameOf, opaqueText } from "./opaque.ts";

const DEEPEST = 64;

/**
 * Writes a value as JSON on one line, with all digits of numbers, cut with `…`. The length bounds the work,
 * whatever the size of the value. What has no form in JSON is written as a console does.
 */
export function compactJson(value: unknown, length: number, whole: Redactor): string {
  const parts: string[] = [];
  let written = 0;
  const put = (part: string): void => {
    parts.push(part);
    written += part.length;
  };
  const full = (): boolean => written > length;
  const parents: object[] = [];

  const write = (item: unknown, depth: number, redactor: Redactor): void => {
    const scalar = toScalar(item, length, redactor);
    if (scalar !== undefined) put(scalar);
    else if (depth > DEEPEST) put("…");
    else if (parents.includes(item as object)) put(CIRCULAR);
    else writeObject(item as object, depth, redactor);
  };
  const writeObject = (item: object, depth: number, redactor: Redactor): void => {
    parents.push(item);
    const title = titleOf(item);
    if (title !== "") put(`${title} `);
    if (Array.isArray(item)) writeList(item, depth, redactor);
    else if (item instanceof Set) writeList([...item], depth, redactor);
    else if (item instanceof Map) writeEntries(item, depth, redactor);
    else writeEntries(entriesOf(item), depth, redactor);
    parents.pop();
  };
  const writeList = (items: readonly unknown[], depth: number, redactor: Redactor): void => {
    put("[");
    for (let index = 0; index < items.length && !full(); index++) {
      if (index > 0) put(",");
      write(items[index], depth + 1, redactor);
    }
    put("]");
  };
  const writeEntries = (
    entries: Iterable<readonly [unknown, unknown]>,
    depth: number,
    redactor: Redactor,
  ): void => {
    put("{");
    let first = true;
    for (const [key, inner] of entries) {
      if (full()) break;
      const name = keyText(key, length);
      put(`${first ? "" : ","}${quote(redactor.key(name), length)}:`);
      write(inner, depth + 1, redactor.at(name));
      first = false;
    }
    put("}");
  };

  write(value, 0, whole);
  return cutText(parts.join(""), length);
}

/** What a console writes in place of an object that contains itself. */
export const CIRCULAR = "[Circular]";

/** The class of an object, with the number of its items if it has one: `User`, `Map(2)`. */
export function titleOf(value: object): string {
  const name = classNameOf(value);
  return value instanceof Map || value instanceof Set ? `${name}(${value.size})` : name;
}

function* entriesOf(object: object): Iterable<readonly [string, unknown]> {
  for (const key in object) {
    if (Object.hasOwn(object, key)) yield [key, Reflect.get(object, key)];
  }
}

/** A Map may have keys of any kind. */
function keyText(key: unknown, length: number): string {
  return typeof key === "string" ? key : compactJson(key, length, UNREDACTED);
}

/** Cuts a text with `…`; surrogate pairs are not split. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = Math.max(0, length - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end)}…`;
}

function toScalar(value: unknown, length: number, redactor: Redactor): string | undefined {
  switch (typeof value) {
    case "string":
      return quote(redactor.text(value), length);
    case "object":
      if (value === null) return "null";
      if (isNumberText(value)) return redactor.number(value.toString());
      if (value instanceof Date) return quote(dateText(value), length);
      return opaqueText(value, redactor);
    case "number":
    case "bigint":
      return redactor.number(numberText(value));
    case "function":
    case "symbol":
      return opaqueText(value, redactor);
    default:
      return String(value);
  }
}

/** All digits of a number, and the sign of a zero. */
export function numberText(value: number | bigint): string {
  return Object.is(value, -0) ? "-0" : String(value);
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
