import { isNumberText } from "./block.ts";
import { dateText } from "./compact.ts";

const DEEPEST = 64;

/**
 * Copies a value for `application/json`; bigints and {@link NumberText} become strings, which keep their
 * digits.
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
  const copy = (item: unknown, depth: number): unknown => {
    if (depth > DEEPEST) throw TOO_LONG;
    if (typeof item === "string") return put(item);
    if (typeof item === "bigint" || isNumberText(item)) return copy(String(item), depth);
    if (item instanceof Date) return copy(dateText(item), depth);
    if (typeof item === "number" || typeof item === "boolean" || item === null) {
      spend(String(item).length);
      return item;
    }
    if (Array.isArray(item)) {
      spend(item.length + 2);
      return item.map((inner) => copy(inner, depth + 1));
    }
    if (typeof item !== "object") throw TOO_LONG;
    const result: Record<string, unknown> = {};
    for (const key in item) {
      if (!Object.hasOwn(item, key)) continue;
      spend(key.length + 3);
      const inner: unknown = Reflect.get(item, key);
      if (inner !== undefined) define(result, key, copy(inner, depth + 1));
    }
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
