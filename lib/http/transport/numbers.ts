/**
 * Checks an option that may be 0.
 *
 * @throws {TypeError} It is not a number, or below 0.
 */
export function nonNegative(name: string, value: number): number {
  if (typeof value === "number" && value >= 0) return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: it is not a number of at least 0`);
}

/**
 * Checks an option that may not be 0.
 *
 * @throws {TypeError} It is not a number above 0.
 */
export function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: it is not a number above 0`);
}
