import {
  createNumberText,
  isNumberText,
  type NumberText,
  type Value,
} from "../interpolation/mod.ts";

/** A double represents this many digits exactly. */
const SAFE_DIGITS = 15;
const INTEGER = /^-?\d+$/;

/** Reads a JSON number as the plainest value that loses no digit: a number wherever it is one exactly. */
export function parseNumber(text: string): number | bigint | NumberText {
  const number = Number(text);
  if (text.length <= SAFE_DIGITS && !/[eE]/.test(text)) return number;
  if (INTEGER.test(text)) return Number.isSafeInteger(number) ? number : BigInt(text);
  const isKept = Number.isFinite(number) && decimalOf(text) === decimalOf(String(number));
  return isKept ? number : createNumberText(text);
}

/** The digits of a number without zeros around them, and its exponent: equal for equal numbers of equal sign. */
function decimalOf(text: string): string {
  const [, whole = "", fraction = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const end = digits.length - (/(?<!0)0+$/.exec(digits)?.[0].length ?? 0);
  if (end <= 0) return "0";
  const zeros = digits.length - end;
  return `${digits.slice(0, end)}e${BigInt(exponent) - BigInt(fraction.length - zeros)}`;
}

/**
 * A number that `JSON.parse` might change: 16 digits or more, or an exponent of three digits. It may be part of a
 * string, which only costs time.
 */
const CANDIDATE =
  /(?<=^|[[:,\s])-?(?:\d[\d.]{15,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d{3,})(?=[\s,\]}]|$)/g;

/** Whether `JSON.parse` may change a number of a text. Most long decimals are doubles, which it preserves. */
export function mayLoseDigits(text: string): boolean {
  for (const [number] of text.matchAll(CANDIDATE)) {
    const isKept = number.includes(".") && String(Number(number)) === number;
    if (!isKept && typeof parseNumber(number) !== "number") return true;
  }
  return false;
}

/**
 * Replaces the numbers of a variable that keep their text by plain ones, for code: `1.0` becomes 1. A
 * number that a double would alter stays as it is.
 */
export function toPlainNumbers(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (isNumberText(value)) return parseNumber(value.toString());
  if (Array.isArray(value)) return value.map(toPlainNumbers);
  const entries = Object.entries(value as { readonly [key: string]: Value });
  return Object.fromEntries(entries.map(([key, one]) => [key, toPlainNumbers(one)]));
}
