import type { Redactor } from "../../secrets/mod.ts";
import { tagOf } from "./kinds.ts";

/** Objects without members to show, by tag, which is the same across realms. */
const TEXTS: Readonly<Record<string, ((value: object) => string) | undefined>> = {
  RegExp: String,
  URL: String,
  Error: errorText,
  DOMException: errorText,
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
  if (typeof value === "function") return functionText(value);
  if (typeof value === "symbol") return redactor.text(String(value));
  if (typeof value !== "object" || value === null) return undefined;
  if (ArrayBuffer.isView(value)) return bytesText(value, redactor);
  const text = textOf(value)?.(value);
  return text === undefined ? undefined : redactor.text(text);
}

/** The name of the class of an object; empty for literals, and for arrays, which brackets mark. */
export function classNameOf(value: object): string {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name !== "string" || name === "Object" || name === "Array" ? "" : name;
}

function textOf(value: object): ((value: object) => string) | undefined {
  const tag = tagOf(value);
  return Object.hasOwn(TEXTS, tag) ? TEXTS[tag] : undefined;
}

function errorText(value: object): string {
  const { name, message } = value as Error;
  return `[${name}: ${message}]`;
}

function functionText(value: object): string {
  const name = String(Reflect.get(value, "name") ?? "") || "(anonymous)";
  const source = Function.prototype.toString.call(value);
  return /^class\b/.test(source) ? `[class ${name}]` : `[Function: ${name}]`;
}

function bytesText(view: ArrayBufferView, redactor: Redactor): string {
  const { buffer, byteOffset, byteLength } = view;
  const name = classNameOf(view);
  const first = new Uint8Array(buffer, byteOffset, Math.min(byteLength, MOST_BYTES));
  const latin = String.fromCharCode(...first);
  if (redactor.text(latin) !== latin) return `<${name} of ${byteLength} bytes>`;
  const digits = Array.from(first, (byte) => byte.toString(16).padStart(2, "0"));
  const more = byteLength > MOST_BYTES ? [`… ${byteLength - MOST_BYTES} more bytes`] : [];
  return `<${[name, ...digits, ...more].join(" ")}>`;
}
