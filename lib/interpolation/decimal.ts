/** A number by its digits without zeros around them, and the power of ten of the last one. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

/** Reads a number as JSON writes it; zero has no digits and no sign. */
function readDecimal(text: string): Decimal {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return {
    isNegative: sign === "-" && end > 0,
    digits: digits.slice(0, end),
    exponent: end === 0 ? 0n : BigInt(exponent) - BigInt(fraction.length - (digits.length - end)),
  };
}

/**
 * Compares two numbers by their digits, however many there are: a double would say that 9007199254740993 is not greater
 * than 9007199254740992.
 *
 * @param one A number as JSON writes it; the exponent is never expanded.
 * @param other The number that it is compared with.
 * @returns A number below 0, 0, or above 0, as `Array.prototype.sort` expects.
 */
export function compareDecimals(one: string, other: string): number {
  const [left, right] = [readDecimal(one), readDecimal(other)];
  if (left.isNegative !== right.isNegative) return left.isNegative ? -1 : 1;
  return left.isNegative ? compareSizes(right, left) : compareSizes(left, right);
}

function compareSizes(one: Decimal, other: Decimal): number {
  if (one.digits === "" || other.digits === "") return one.digits.length - other.digits.length;
  const [left, right] = [one, other].map(
    ({ digits, exponent }) => exponent + BigInt(digits.length),
  ) as [bigint, bigint];
  if (left !== right) return left < right ? -1 : 1;
  if (one.digits === other.digits) return 0;
  return one.digits < other.digits ? -1 : 1;
}

/** Further apart than this, digits are not written out one by one: a text may have any exponent. */
const MOST_ZEROS = 1_000n;

/**
 * Adds two numbers, by all their digits.
 *
 * @param one A number as JSON writes it.
 * @param other The number that is added; a hostile exponent makes the sum the greater of both.
 */
export function addDecimals(one: string, other: string): string {
  const [left, right] = [readDecimal(one), readDecimal(other)];
  const least = left.exponent < right.exponent ? left.exponent : right.exponent;
  const apart = left.exponent + right.exponent - least - least;
  if (apart > MOST_ZEROS) return compareSizes(left, right) < 0 ? other : one;
  const scaled = ({ isNegative, digits, exponent }: Decimal): bigint =>
    BigInt(digits || "0") * 10n ** (exponent - least) * (isNegative ? -1n : 1n);
  return `${scaled(left) + scaled(right)}e${least}`;
}
