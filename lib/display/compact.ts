import { dataOf, isDate, isUnread, itemsOf, sizeOf, tagOf } from "../interpolation/mod.ts";
import { entriesOf, type Redactor, UNREDACTED } from "../secrets/mod.ts";
import { isNumberText } from "./block.ts";

const DEEPEST = 64;

/**
 * Writes a value as JSON on one line, with all digits of numbers, cut with `…`. The length bounds the work,
 * whatever the size of the value. What has no form in JSON is written as a console does.
 *
 * @param blank What follows commas and colons: a blank lets a terminal break the line.
 */
export function compactJson(
  value: unknown,
  length: number,
  whole: Redactor,
  blank: "" | " " = "",
): string {
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
    if (title !== "") put(`${redactor.key(title)} `);
    if (Array.isArray(item) || item instanceof Set) writeList(itemsOf(item), depth, redactor);
    else writeEntries(entriesOf(item), depth, redactor);
    parents.pop();
  };
  const writeList = (items: Iterable<unknown>, depth: number, redactor: Redactor): void => {
    put("[");
    let first = true;
    for (const item of items) {
      if (full()) break;
      if (!first) put(`,${blank}`);
      write(item, depth + 1, redactor);
      first = false;
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
      put(`${first ? "" : `,${blank}`}${quote(redactor.key(name), length)}:${blank}`);
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
  return value instanceof Map || value instanceof Set ? `${name}(${sizeOf(value)})` : name;
}

/** A Map may have keys of any kind. */
export function keyText(key: unknown, length: number): string {
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

/** A key as it is shown: in quotes if it is empty, or if blanks at its ends would not be seen. */
export function shownKey(key: string, length: number): string {
  if (key.length > length) return cutText(key, length);
  return /^$|^\s|\s$/.test(key) ? JSON.stringify(key) : key;
}

function toScalar(value: unknown, length: number, redactor: Redactor): string | undefined {
  switch (typeof value) {
    case "string":
      return quote(redactor.text(value), length);
    case "object":
      if (value === null) return "null";
      if (isDate(value)) return quote(redactor.text(dateText(value)), length);
      return (
        opaqueText(value, redactor) ??
        (isNumberText(value) ? redactor.number(value.toString()) : undefined)
      );
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
  const time = Date.prototype.getTime.call(date);
  return Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString();
}

function quote(text: string, length: number): string {
  return text.length > length
    ? JSON.stringify(text.slice(0, length)).slice(0, -1)
    : JSON.stringify(text);
}

/** Objects without members to show, by tag, which is the same across realms. */
const TEXTS: Readonly<Record<string, ((value: object) => string) | undefined>> = {
  RegExp: String,
  URL: String,
  Blob: blobText,
  File: blobText,
  Error: errorText,
  DOMException: errorText,
  Request: (value) => `[Request: ${(value as Request).method} ${(value as Request).url}]`,
  Response: (value) =>
    `[Response: ${(value as Response).status} ${(value as Response).statusText}]`,
  Promise: tagOf,
  WeakMap: tagOf,
  WeakSet: tagOf,
  WeakRef: tagOf,
};

/** Bytes that are written in hexadecimal on one line. */
const MOST_BYTES = 16;

/** Whether a value is an object that has no form in JSON and no members to show, such as a pattern. */
export function isOpaque(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ArrayBuffer.isView(value) || textOf(value) !== undefined;
}

/**
 * Writes a value that has no form in JSON on one line, as a console does; `undefined` for all others.
 *
 * @param redactor Hides bytes that contain a secret.
 */
export function opaqueText(value: unknown, redactor: Redactor): string | undefined {
  if (typeof value === "function") return redactor.text(functionText(value));
  if (typeof value === "symbol") return redactor.text(String(value));
  if (typeof value !== "object" || value === null) return undefined;
  if (ArrayBuffer.isView(value)) return bytesText(value, redactor);
  const text = textOf(value);
  return text === undefined ? undefined : redactor.text(text);
}

/** The name of the class of an object; empty for literals, and for arrays, which brackets mark. */
export function classNameOf(value: object): string {
  const name = dataOf(dataOf(Object.getPrototypeOf(value), "constructor"), "name");
  return typeof name !== "string" || name === "Object" || name === "Array" ? "" : name;
}

function textOf(value: object): string | undefined {
  if (isUnread(value)) return String(value);
  const tag = tagOf(value);
  try {
    return Object.hasOwn(TEXTS, tag) ? TEXTS[tag]?.(value) : undefined;
  } catch {
    return undefined; // An object with such a tag that is none.
  }
}

function errorText(value: object): string {
  return `[${Error.prototype.toString.call(value)}]`;
}

function blobText(value: object): string {
  const { name, size } = value as File;
  return name === undefined ? `[Blob: ${size} bytes]` : `[File: ${name}, ${size} bytes]`;
}

function functionText(value: object): string {
  const name = dataOf(value, "name") || "(anonymous)";
  const source = Function.prototype.toString.call(value);
  return /^class\b/.test(source) ? `[class ${name}]` : `[Function: ${name}]`;
}

function bytesText(view: ArrayBufferView, redactor: Redactor): string {
  const { buffer, byteOffset, byteLength } = view;
  const name = redactor.key(classNameOf(view));
  const first = new Uint8Array(buffer, byteOffset, Math.min(byteLength, MOST_BYTES));
  const latin = String.fromCharCode(...first);
  if (redactor.text(latin) !== latin) return `<${name} of ${byteLength} bytes>`;
  const digits = Array.from(first, (byte) => byte.toString(16).padStart(2, "0"));
  const more = byteLength > MOST_BYTES ? [`… ${byteLength - MOST_BYTES} more bytes`] : [];
  return `<${[name, ...digits, ...more].join(" ")}>`;
}
