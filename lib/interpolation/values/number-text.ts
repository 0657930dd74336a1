import type { NumberText } from "./value.ts";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Keeps the text of a JSON number whose digits a double would alter.
 * `JSON.stringify`, which has no way to keep them, writes the nearest double.
 *
 * @param text A number as JSON writes it.
 * @throws {TypeError} When the text is no JSON number.
 */
export function createNumberText(text: string): NumberText {
  if (!JSON_NUMBER.test(text)) {
    throw new TypeError(`Cannot keep ${JSON.stringify(text)} as a number: JSON has no such number`);
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

/** Tells a number that is kept as text from other objects, such as data with the same key. */
export function isNumberText(value: object): value is NumberText {
  const { isLosslessNumber, toString: write } = value as { [key: string]: unknown };
  if (isLosslessNumber !== true || typeof write !== "function") return false;
  return JSON_NUMBER.test(String(write.call(value)));
}

function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
