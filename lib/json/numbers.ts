import {
  compareNumbers,
  createNumberText,
  isNumberText,
  JSON_NUMBER,
  type NumberText,
  noteNumbers,
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
  const isKept = Number.isFinite(number) && compareNumbers(text, number) === 0;
  return isKept ? number : createNumberText(text);
}

const digits = (count: number): string => "\\d".repeat(count);

/**
 * Where a number may be that `JSON.parse` changes: it has 16 digits or more, or an exponent. Engines find runs of a fixed
 * length several times faster than one pattern for all.
 */
const LOSING: readonly RegExp[] = [
  /\d[eE][+-]?\d/g,
  new RegExp(digits(16), "g"),
  new RegExp(`\\.${digits(8)}`, "g"),
  new RegExp(`${digits(8)}\\.`, "g"),
];

/** Where a number may be that JavaScript writes otherwise: it ends in a zero, is minus zero, or very small. */
const REWRITTEN: readonly RegExp[] = [/\.\d*0[\s,\]}]/g, /-0[\s,\]}]/g, /\.000000/g];

/** Noting the texts of all numbers of a longer text would take more than a quarter of a second. */
const LONGEST_NOTED = 4_000_000;

/**
 * Whether `JSON.parse` may change a number of a text, or JavaScript would write it otherwise; in a long text only whether
 * it may lose digits.
 */
export function mayChangeNumbers(text: string): boolean {
  const isLong = text.length > LONGEST_NOTED;
  const hints = isLong ? LOSING : [...LOSING, ...REWRITTEN];
  return hints.some((hint) => {
    hint.lastIndex = 0;
    for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
      const { start, end } = numberAt(text, found.index);
      if (isWord(text, start, end) && isChanged(text.slice(start, end), isLong)) return true;
      // A long number is looked at once.
      hint.lastIndex = end;
    }
    return false;
  });
}

function isChanged(number: string, isLong: boolean): boolean {
  const isSame = isWrittenAlike(number, Number(number));
  if (isSame && number.includes(".")) return false;
  return (
    JSON_NUMBER.test(number) && ((!isSame && !isLong) || typeof parseNumber(number) !== "number")
  );
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

/** Whether a number is written as its text, here without an exponent as well as by JavaScript. */
export function isWrittenAlike(text: string, number: number): boolean {
  return String(number) === text && !text.includes("e");
}

/** Whether a range stands between the marks of JSON; if it is part of a string, that only costs time. */
function isWord(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? " ";
  const after = text[end] ?? " ";
  return "[:, \n\t\r".includes(before) && ",]} \n\t\r".includes(after);
}

/** A name whose place in its object `JSON.parse` may lose, however its digits are written. */
export const INDEX_NAME: RegExp = /"[\d\\][\d\\u]*"\s*:/;

/**
 * Replaces the numbers of a variable that keep their text by plain ones, for code: `1.0` becomes 1. A
 * number that a double would alter stays as it is. The texts are noted beside the numbers.
 */
export function toPlainNumbers(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (isNumberText(value)) return parseNumber(value.toString());
  const isList = Array.isArray(value);
  const entries = isList
    ? [...value.entries()]
    : writtenEntries(value as { readonly [key: string]: Value });
  const texts: Record<string, string> = {};
  const plain = entries.map(([key, one]): [string, Value] => {
    const number = toPlainNumbers(one);
    if (typeof one === "object" && typeof number === "number") texts[key] = String(one);
    return [String(key), number];
  });
  const copy = isList ? plain.map(([, one]) => one) : objectOf(plain);
  if (Object.keys(texts).length > 0) noteNumbers(copy, texts);
  return copy;
}
