import { isNumberText, type Value } from "../../interpolation/mod.ts";

/**
 * In our files, values that JSON lacks are objects with one key: `{"$date": "2024-01-02T…Z"}` and
 * `{"$bigint": "12"}`. Other objects with such a key are written as `{"$object": …}`.
 */
const TAG = /^\$(?:date|bigint|object)$/;

/** Replaces values that JSON lacks by tagged objects. */
export function toTagged(value: Value): Value {
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(toTagged);
  if (!isObjectValue(value)) return value;
  const object = mapValues(value, toTagged);
  const [key, ...more] = Object.keys(object);
  return key !== undefined && more.length === 0 && TAG.test(key) ? { $object: object } : object;
}

/**
 * Replaces tagged objects by their values.
 *
 * @throws {TypeError} The content of a tag is not a date or an integer.
 */
export function fromTagged(value: Value): Value {
  if (Array.isArray(value)) return value.map(fromTagged);
  if (!isObjectValue(value)) return value;
  const [key, ...more] = Object.keys(value);
  if (key === undefined || more.length > 0 || !TAG.test(key)) return mapValues(value, fromTagged);
  const content = value[key] ?? null;
  if (key === "$date") return toDate(content);
  if (key === "$bigint") return toBigInt(content);
  return isObjectValue(content) ? mapValues(content, fromTagged) : value;
}

/** Whether a value is an object with keys. */
export function isObjectValue(value: Value | undefined): value is ObjectValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !(value instanceof Date || isNumberText(value));
}

interface ObjectValue {
  readonly [key: string]: Value;
}

function toDate(content: Value): Date {
  const date = new Date(typeof content === "string" ? content : Number.NaN);
  if (Number.isNaN(date.getTime())) {
    throw new TypeError(`"$date" is not a date: ${JSON.stringify(content)}`);
  }
  return date;
}

function toBigInt(content: Value): bigint {
  if (typeof content === "string" && /^-?\d+$/.test(content)) return BigInt(content);
  throw new TypeError(`"$bigint" is not an integer: ${JSON.stringify(content)}`);
}

/** `Object.fromEntries` defines `__proto__` as a key. */
function mapValues(object: ObjectValue, change: (value: Value) => Value): ObjectValue {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
