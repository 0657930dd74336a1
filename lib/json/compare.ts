import {
  compareNumbers,
  isJsonNumber,
  isNumberText,
  isRecord,
  memberOf,
  namesOf,
  type Path,
  renderJson,
  type Value,
} from "../interpolation/mod.ts";

/** A place where two values differ. */
export interface Difference {
  /** Where it is. */
  readonly path: Path;
  /** A member that only one of both has, the number of items of two lists, or another value. */
  readonly kind: "gone" | "new" | "length" | "value";
  /** What was expected there. */
  readonly expected: unknown;
  /** What was found there. */
  readonly actual: unknown;
}

/** How values are compared. */
export interface CompareRules {
  /** Which places are not compared, with everything within them. */
  readonly isIgnored?: (path: Path) => boolean;
  /**
   * Whether two values are equal. Without an answer, two lists or two objects are equal if what is in them is;
   * if they are said not to be, they differ even if nothing in them does.
   */
  readonly isEqual?: (expected: unknown, actual: unknown) => boolean | undefined;
  /** Whether the items of lists of different lengths are compared before the lengths. */
  readonly comparesItems?: boolean;
}

/** Deeper values are not compared: the stack has no room for them. */
const DEEPEST = 500;

/**
 * Compares two values by what is in them: items of lists, and members of plain objects, whose order does not matter.
 *
 * @returns The differences, in the order of the expected value; the first one is found without looking for others.
 *   Of `{ id: 1, tags: ["a"] }` and `{ id: 2, tags: ["a"] }` it is the one at `$.id`, with 1 and 2.
 */
export function compareValues(
  expected: unknown,
  actual: unknown,
  rules: CompareRules = {},
): Generator<Difference> {
  return compareLevel(expected, actual, [], rules);
}

function* compareLevel(
  expected: unknown,
  actual: unknown,
  path: Path,
  rules: CompareRules,
): Generator<Difference> {
  if (path.length > DEEPEST || rules.isIgnored?.(path) === true) return;
  const isEqual = rules.isEqual?.(expected, actual) ?? isSame(expected, actual);
  if (isEqual === true) return;
  let isFound = false;
  for (const difference of compareInside(expected, actual, path, rules)) {
    isFound = true;
    yield difference;
  }
  if (isFound || isEqual === undefined) return;
  const kind = actual === undefined ? "gone" : expected === undefined ? "new" : "value";
  yield { path, kind, expected, actual };
}

function* compareInside(
  expected: unknown,
  actual: unknown,
  path: Path,
  rules: CompareRules,
): Generator<Difference> {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const isLong = expected.length === actual.length;
    const count = Math.min(expected.length, actual.length);
    for (let at = 0; at < count && (isLong || rules.comparesItems === true); at++) {
      yield* compareLevel(expected[at], actual[at], [...path, at], rules);
    }
    if (isLong) return;
    yield { path, kind: "length", expected: expected.length, actual: actual.length };
  } else if (isPlain(expected) && isPlain(actual)) {
    for (const name of new Set([...namesOf(expected), ...namesOf(actual)])) {
      const [one, other] = [expected, actual].map((owner) => memberOf(owner, name));
      yield* compareLevel(one, other, [...path, name], rules);
    }
  }
}

/** `undefined` for two lists, or two objects, which are compared by what is in them. */
function isSame(expected: unknown, actual: unknown): boolean | undefined {
  if (expected === actual || Object.is(expected, actual)) return true;
  if (Array.isArray(expected) && Array.isArray(actual)) return undefined;
  if (isPlain(expected) && isPlain(actual)) return undefined;
  return isJsonNumber(expected) && isJsonNumber(actual) && compareNumbers(expected, actual) === 0;
}

/** Whether a value is an object whose members are all that it is. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || isNumberText(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/**
 * JSON without blanks and with the members of objects in order of their names, digit for digit: that of two values is
 * the same if they are equal.
 *
 * @throws {TypeError} The value has a cycle, or is nested too deeply.
 */
export function toCanonicalJson(value: unknown): string {
  return renderJson(sorted(value, 0) as Value);
}

function sorted(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (!isRecord(value) || value instanceof Date || isNumberText(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item, depth + 1)]));
}
