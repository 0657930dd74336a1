import {
  isNumberText as isKeptNumber,
  isRecord,
  type NumberText,
} from "../../interpolation/mod.ts";

/** Whether a value is an object literal or parsed from JSON, also of another realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is a {@link NumberText}. */
export function isNumberText(value: unknown): value is NumberText {
  return isRecord(value) && isKeptNumber(value);
}

/** The tag of an object, such as `Map`, `Date` or `Uint8Array`, which is the same across realms. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
