import { stepText } from "../../../lib/interpolation/mod.ts";

/** The first place where two values differ. */
export interface Difference {
  /** The path from the values to it: `$.items[0].id`; `$` if it is the values themselves. */
  readonly path: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

/** Whether two values are equal, as the matcher that compared them sees it. */
export type Equals = (actual: unknown, expected: unknown) => boolean;

const DEEPEST = 64;

/** Finds the first difference of two values that are not equal, inside of arrays and plain objects. */
export function findDifference(actual: unknown, expected: unknown, equals: Equals): Difference {
  let found: Difference = { path: "$", actual, expected };
  for (let depth = 0; depth < DEEPEST; depth++) {
    const inner = stepInto(found, equals);
    if (inner === undefined) return found;
    found = inner;
  }
  return found;
}

function stepInto({ path, actual, expected }: Difference, equals: Equals): Difference | undefined {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    const shorter = Math.min(actual.length, expected.length);
    for (let index = 0; index < shorter; index++) {
      if (equals(actual[index], expected[index])) continue;
      return { path: path + stepText(index), actual: actual[index], expected: expected[index] };
    }
    if (actual.length === expected.length) return undefined;
    return { path: `${path}.length`, actual: actual.length, expected: expected.length };
  }
  if (!isPlain(actual) || !isPlain(expected)) return undefined;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    if (equals(actual[key], expected[key])) continue;
    return { path: path + stepText(key), actual: actual[key], expected: expected[key] };
  }
  return undefined;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
