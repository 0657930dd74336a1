import { isNumberText } from "./value.ts";
import type { NumberText } from "./written.ts";

/** A number of JSON, as it is read: none has lost a digit. */
export type JsonNumber = number | bigint | NumberText;

/** Whether a value of JSON is a number. */
export function isJsonNumber(value: unknown): value is JsonNumber {
  if (typeof value === "number" || typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && isNumberText(value);
}

/** A number without zeros around its digits: `0.digits` times ten to the power of `exponent`; 0 has no digits. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

function toDecimal(number: JsonNumber | string): Decimal {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^([-+]?)(\d*)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(String(number)) ?? [];
  const written = whole + fraction;
  const start = /^0*/.exec(written)?.[0].length ?? 0;
  const end = written.length - (/(?<!0)0+$/.exec(written)?.[0].length ?? 0);
  if (end <= start) return { isNegative: false, digits: "", exponent: 0n };
  const point = BigInt(exponent) + BigInt(whole.length - start);
  return { isNegative: sign === "-", digits: written.slice(start, end), exponent: point };
}

/**
 * Compares two numbers exactly, however many digits they have: as doubles, 9007199254740993 is not greater than
 * 9007199254740992.
 *
 * @param one A number, or its text as JSON writes it.
 * @param other What it is compared with.
 * @returns Below 0 if the first is less, 0 if they are equal.
 */
export function compareNumbers(one: JsonNumber | string, other: JsonNumber | string): number {
  if (typeof one === "number" && typeof other === "number") return Math.sign(one - other) || 0;
  const [a, b] = [toDecimal(one), toDecimal(other)];
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  const sign = a.isNegative ? -1 : 1;
  if (a.digits === "" || b.digits === "") return sign * (a.digits.length - b.digits.length);
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -sign : sign;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -sign : sign;
}

/** Further apart than this, zeros between digits are not written out: a text may have any exponent. */
const MOST_ZEROS = 1_000n;

/** Adds two numbers exactly; where they are of very different sizes, the sum is the greater one. */
export function addNumbers(one: string, other: string): string {
  const [a, b] = [toDecimal(one), toDecimal(other)];
  const [left, right] = [a, b].map(({ digits, exponent }) => exponent - BigInt(digits.length)) as [
    bigint,
    bigint,
  ];
  const least = left < right ? left : right;
  if (left + right - least - least > MOST_ZEROS) return a.exponent < b.exponent ? other : one;
  const scaled = ({ isNegative, digits }: Decimal, last: bigint): bigint =>
    BigInt(digits || "0") * 10n ** (last - least) * (isNegative ? -1n : 1n);
  return `${scaled(a, left) + scaled(b, right)}e${least}`;
}

/** Whether a number has no fraction, as 1, 1.0 and 1e3 have none. */
export function isWholeNumber(number: JsonNumber): boolean {
  if (typeof number !== "object") return typeof number === "bigint" || Number.isInteger(number);
  const { digits, exponent } = toDecimal(number);
  return exponent >= BigInt(digits.length);
}

/** Whether a number is a multiple of another, exactly: 19.99 is one of 0.01. */
export function isMultipleOf(number: JsonNumber, divisor: JsonNumber): boolean {
  const [a, b] = [toDecimal(number), toDecimal(divisor)];
  if (a.digits === "" || b.digits === "") return a.digits === "";
  const places = a.exponent - BigInt(a.digits.length) - (b.exponent - BigInt(b.digits.length));
  // Its last digit is not a zero, so that it is no multiple of ten.
  if (places < 0n) return false;
  const modulus = BigInt(b.digits);
  return ((BigInt(a.digits) % modulus) * powerOfTen(places, modulus)) % modulus === 0n;
}

/** By squaring, as an exponent may be of any size. */
function powerOfTen(exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let base = 10n % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}
