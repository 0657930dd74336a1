import {
  createNumberText,
  isNumberText,
  JSON_NUMBER,
  type NumberText,
  objectOf,
  type Value,
  writtenEntries,
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

const digits = (count: number): string => "\\d".repeat(count);

/**
 * Where a number may be that `JSON.parse` changes: it has 16 digits or more, or an exponent of three. Engines find
 * runs of a fixed length several times faster than one pattern for all of them.
 */
const HINTS: readonly RegExp[] = [
  new RegExp(digits(16), "g"),
  new RegExp(`\\.${digits(8)}`, "g"),
  new RegExp(`${digits(8)}\\.`, "g"),
  /\d[eE][+-]?\d\d\d/g,
];

/** Whether `JSON.parse` may change a number of a text. Most long decimals are doubles, which it preserves. */
export function mayLoseDigits(text: string): boolean {
  return HINTS.some((hint) => {
    hint.lastIndex = 0;
    for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
      const { start, end } = numberAt(text, found.index);
      const number = text.slice(start, end);
      const isDouble = number.includes(".") && String(Number(number)) === number;
      if (!isDouble && isValue(text, start, end) && typeof parseNumber(number) !== "number")
        return true;
      // A long number is looked at once.
      hint.lastIndex = end;
    }
    return false;
  });
}

/** The characters around an index that a number may consist of. */
function numberAt(text: string, index: number): { readonly start: number; readonly end: number } {
  let start = index;
  while (isOfNumber(text.charCodeAt(start - 1))) start--;
  let end = index + 1;
  while (isOfNumber(text.charCodeAt(end))) end++;
  return { start, end };
}

function isOfNumber(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  return isDigit || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65;
}

/** Whether a range may be a value; if it is part of a string, that only costs time. */
function isValue(text: string, start: number, end: number): boolean {
  const isAfter = start === 0 || /[[:,\s]/.test(text[start - 1] as string);
  const isBefore = end === text.length || /[\s,\]}]/.test(text[end] as string);
  return isAfter && isBefore && JSON_NUMBER.test(text.slice(start, end));
}

/** Names that JavaScript may list in another order, however their digits are written. */
const INDEX_NAME = /"[\d\\][\d\\u]*"\s*:/;

/** Whether an object in a text may have names whose order `JSON.parse` loses. */
export function hasIndexName(text: string): boolean {
  return INDEX_NAME.test(text);
}

/**
 * Replaces the numbers of a variable that keep their text by plain ones, for code: `1.0` becomes 1. A
 * number that a double would alter stays as it is.
 */
export function toPlainNumbers(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (isNumberText(value)) return parseNumber(value.toString());
  if (Array.isArray(value)) return value.map(toPlainNumbers);
  const entries = writtenEntries(value as { readonly [key: string]: Value });
  return objectOf(entries.map(([key, one]) => [key, toPlainNumbers(one)]));
}
