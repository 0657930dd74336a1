import { isDate, itemsOf, noteNames, sizeOf } from "../interpolation/mod.ts";
import { toPlainNumbers } from "../json/mod.ts";
import { entriesOf, UNREDACTED } from "../secrets/mod.ts";
import { isNumberText } from "./block.ts";
import { dateText, isOpaque, keyText, opaqueText } from "./compact.ts";

const DEEPEST = 64;

/**
 * Copies a value for `application/json`; bigints, and numbers that a double would change, become strings, which keep
 * their digits.
 *
 * @param length The maximum number of characters.
 * @returns `undefined` if the value is too long, too deep, cyclic or not data.
 */
export function toJson(value: unknown, length: number): unknown {
  let left = length;
  const spend = (characters: number): void => {
    left -= characters + 1;
    if (left < 0) throw TOO_LONG;
  };
  const put = (shown: string): string => {
    spend(shown.length + 2);
    return shown;
  };
  const copyNumber = (number: unknown, depth: number): unknown =>
    copy(typeof number === "number" ? number : String(number), depth);
  const copy = (item: unknown, depth: number): unknown => {
    if (depth > DEEPEST) throw TOO_LONG;
    if (typeof item === "string") return put(item);
    if (isNumberText(item)) return copyNumber(toPlainNumbers(item), depth);
    if (typeof item === "bigint") return copy(String(item), depth);
    if (isDate(item)) return copy(dateText(item), depth);
    if (typeof item === "number" || typeof item === "boolean" || item === null) {
      spend(String(item).length);
      return item;
    }
    if (Array.isArray(item) || item instanceof Set) {
      spend(sizeOf(item) + 2);
      return Array.from(itemsOf(item), (inner) => copy(inner, depth + 1));
    }
    if (typeof item !== "object") throw TOO_LONG;
    // Bytes are a list of numbers.
    if (isOpaque(item) && !ArrayBuffer.isView(item))
      return copy(opaqueText(item, UNREDACTED), depth);
    const result: Record<string, unknown> = {};
    const names: string[] = [];
    for (const [name, inner] of entriesOf(item)) {
      const key = keyText(name, length);
      spend(key.length + 3);
      if (inner === undefined) continue;
      const value = copy(inner, depth + 1);
      names.push(key);
      // A parameter or a field of a form may be repeated.
      define(result, key, Object.hasOwn(result, key) ? [result[key], value].flat() : value);
    }
    noteNames(result, names);
    return result;
  };
  try {
    return copy(value, 0);
  } catch (error) {
    if (error === TOO_LONG) return undefined;
    throw error;
  }
}

const TOO_LONG = Symbol("too long");

// An assignment to `__proto__` would set the prototype instead of a key.
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
