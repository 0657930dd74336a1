import { isDate } from "./date.ts";
import { renderDecimal } from "./decimal.ts";
import { isNumberText } from "./number-text.ts";
import type { Value } from "./value.ts";

/**
 * Writes a value as JSON. Unlike `JSON.stringify` it supports bigints, keeps the digits of a
 * {@link NumberText}, and writes numbers without an exponent.
 *
 * @param value The value.
 * @param indent Spaces per level; 0 gives one line without blanks.
 * @param margin A prefix of all lines but the first.
 * @throws {TypeError} The value is nested too deeply for the stack of the runtime, or too long.
 * @example
 * ```ts
 * renderJson({ id: 9007199254740993123n, at: new Date(0) }); // '{"id":9007199254740993123,"at":"1970-01-01T00:00:00.000Z"}'
 * renderJson([1e21]); // "[1000000000000000000000]"
 * ```
 */
export function renderJson(value: Value, indent = 0, margin = ""): string {
  try {
    return writeValue(value, indent === 0 ? "" : `\n${margin}`, " ".repeat(indent));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TypeError("Cannot write the value as JSON: it is nested too deeply or too long", {
      cause: error,
    });
  }
}

function writeValue(value: Value, lineBreak: string, unit: string): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return renderDecimal(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return writeArray(value, lineBreak, unit);
  if (isDate(value)) return `"${value.toISOString()}"`;
  if (isNumberText(value)) return value.toString();
  return writeObject(value as { readonly [key: string]: Value }, lineBreak, unit);
}

function writeArray(items: readonly Value[], lineBreak: string, unit: string): string {
  if (items.length === 0) return "[]";
  const inner = lineBreak === "" ? "" : lineBreak + unit;
  let text = "[";
  for (let index = 0; index < items.length; index++) {
    text += (index === 0 ? inner : `,${inner}`) + writeValue(items[index] as Value, inner, unit);
  }
  return `${text}${lineBreak}]`;
}

function writeObject(
  object: { readonly [key: string]: Value },
  lineBreak: string,
  unit: string,
): string {
  const inner = lineBreak === "" ? "" : lineBreak + unit;
  const colon = lineBreak === "" ? ":" : ": ";
  let text = "";
  for (const key of Object.keys(object)) {
    text += (text === "" ? inner : `,${inner}`) + JSON.stringify(key) + colon;
    text += writeValue(object[key] as Value, inner, unit);
  }
  return text === "" ? "{}" : `{${text}${lineBreak}}`;
}
