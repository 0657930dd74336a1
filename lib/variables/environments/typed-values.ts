import { isNumberText, type Value } from "../../interpolation/mod.ts";

/**
 * In our files, values that JSON lacks are objects with one key: `{"$date": "2024-01-02T…Z"}` and
 * `{"$bigint": "12"}`. Other objects with such a key are written as `{"$object": …}`.
 */
const TAG = /^\$(?:date|bigint|object)$/;

/** Replaces values that JSON lacks by tagged objects. */
export function toTagged(value: Value): Value {
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (typeof value !== "object" || value === null || isNumberText(value)) return value;
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(toTagged);
  const object = mapValues(value as { readonly [key: string]: Value }, toTagged);
  const [key, ...more] = Object.keys(object);
  return key !== undefined && more.length === 0 && TAG.test(key) ? { $object: object } : object;
}

/**
 * Replaces tagged objects by their values.
 *
 * @throws {TypeError} The content of a tag is not a date or an integer.
 */
export function fromTagged(value: Value): Value {
  if (typeof value !== "object" || value === null || isNumberText(value)) return value;
  if (Array.isArray(value)) return value.map(fromTagged);
  const object = value as { readonly [key: string]: Value };
  const [key, ...more] = Object.keys(object);
  if (key === undefined || more.length > 0 || !TAG.test(key)) return mapValues(object, fromTagged);
  const content = object[key] ?? null;
  if (key === "$date") return toDate(content);
  if (key === "$bigint") return toBigInt(content);
  if (typeof content !== "object" || content === null) return object;
  return mapValues(content as { readonly [key: string]: Value }, fromTagged);
}

function toDate(content: Value): Date {
  const date = new Date(typeof content === "string" ? content : Number.NaN);
  if (Number.isNaN(date.getTime()))
    throw new TypeError(`"$date" is not a date: ${JSON.stringify(content)}`);
  return date;
}

function toBigInt(content: Value): bigint {
  if (typeof content === "string" && /^-?\d+$/.test(content)) return BigInt(content);
  throw new TypeError(`"$bigint" is not an integer: ${JSON.stringify(content)}`);
}

/** `Object.fromEntries` defines `__proto__` as a key. */
function mapValues(
  object: { readonly [key: string]: Value },
  change: (value: Value) => Value,
): { readonly [key: string]: Value } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
