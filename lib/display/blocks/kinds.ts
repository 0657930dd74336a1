import { isNumberText as isKeptNumber, type NumberText } from "../../interpolation/mod.ts";

/** Whether a value is an object of keys and values: a literal, a parsed one, or a class instance. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object literal or what a JSON parser makes of one, in whatever realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is a JSON number that is kept as its text. */
export function isNumberText(value: unknown): value is NumberText {
  return isRecord(value) && isKeptNumber(value);
}

/** What an object is an instance of, across realms: `Map`, `Date`, `Uint8Array`. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
