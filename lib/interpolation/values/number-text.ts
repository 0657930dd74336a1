import { renderDecimal } from "./decimal.ts";
import type { NumberText } from "./value.ts";

/** A number as JSON writes it (RFC 8259, section 6). */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Stores a JSON number whose digits a double would change, as text. `JSON.stringify` writes it as the
 * nearest double.
 *
 * @param text A number as JSON writes it.
 * @throws {TypeError} The text is not a JSON number.
 */
export function createNumberText(text: string): NumberText {
  if (!JSON_NUMBER.test(text)) {
    throw new TypeError(
      `Cannot store ${JSON.stringify(text)} as a number: it is not a JSON number`,
    );
  }
  const number: NumberText = {
    isLosslessNumber: true,
    toString: () => text,
    valueOf: () => (/^-?\d+$/.test(text) ? exactInteger(text) : Number(text)),
  };
  Object.defineProperty(number, "toString", { enumerable: false });
  Object.defineProperty(number, "valueOf", { enumerable: false });
  Object.defineProperty(number, "toJSON", { value: () => Number(text) });
  // A console shows the digits, as it does for a number.
  for (const inspect of ["nodejs.util.inspect.custom", "Deno.customInspect"]) {
    Object.defineProperty(number, Symbol.for(inspect), { value: () => text });
  }
  return Object.freeze(number);
}

/**
 * Reads a JSON number as a value that is inserted with the same text: a number where its decimal text is
 * the same, else a bigint or a {@link NumberText}.
 *
 * @param text A number as JSON writes it, as of `1.0`, `1e3` or `9007199254740993`.
 * @throws {TypeError} The text is not a JSON number.
 */
export function parseWrittenNumber(text: string): number | bigint | NumberText {
  if (renderDecimal(Number(text)) === text) return Number(text);
  return /^(?:0|-?[1-9]\d*)$/.test(text) ? BigInt(text) : createNumberText(text);
}

/** Whether an object is a {@link NumberText}, and not data with the same key. */
export function isNumberText(value: object): value is NumberText {
  const { isLosslessNumber, toString: write } = value as { [key: string]: unknown };
  if (isLosslessNumber !== true || typeof write !== "function") return false;
  return JSON_NUMBER.test(String(write.call(value)));
}

function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
