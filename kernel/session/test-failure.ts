import { stripVTControlCharacters } from "node:util";
import { compactJson } from "../../lib/display/mod.ts";
import { shorten, stepText } from "../../lib/interpolation/mod.ts";
import type { AssertionResult } from "../../lib/mod.ts";
import { createRedactor } from "../../lib/secrets/mod.ts";
import { type AssertionFailure, isAssertionFailure, loadLibrary, nameFailure } from "./expect.ts";

type Failure = Pick<AssertionResult, "message" | "expected" | "actual" | "path">;
type Mask = (text: string) => string;

/** How much of a value a result contains. */
const LONGEST = 2_000;
/** How much of a message is shown that contains the values as well. */
const LONGEST_GENERATED = 400;
/** How much of a text is compared around the first difference. */
const AROUND = 4_000;
/** How many characters before the first difference of two texts are shown. */
const BEFORE = 20;

/** The message of a failure, what was expected and found, and where; cut, and before that masked. */
export function describeFailure(error: unknown, mask: Mask): Failure {
  try {
    return isAssertionFailure(error) ? describe(error, mask) : { message: messageOf(error, mask) };
  } catch (thrown) {
    // A getter or a proxy of a value has thrown.
    return { message: messageOf(thrown, mask) };
  }
}

/** Gives a failed assertion its name, and a message without terminal codes that is short enough to be shown. */
export function tidyFailure(error: unknown, mask: Mask): void {
  if (!isAssertionFailure(error)) return;
  const message = messageOf(error, mask);
  nameFailure(error);
  Reflect.defineProperty(error, "message", { value: message, configurable: true });
}

function describe(error: AssertionFailure, mask: Mask): Failure {
  const { actual, expected, message, __vitest_error_context__: context } = error;
  const isComparison = COMPARISON.test(message);
  const difference = isComparison
    ? findDifference(actual, expected, equals)
    : { path: String(context?.meta?.path ?? "$"), actual, expected };
  const { path } = difference;
  const texts = toTexts(difference.actual, difference.expected, mask);
  // Two values that differ say as much, unless the person has given a message.
  const isPlain = message.startsWith("expected ") ? isComparison : OWN.test(message);
  const isSaid = isPlain && texts.actual !== texts.expected;
  return {
    ...(isSaid ? {} : { message: messageOf(error, mask) }),
    ...(path === "$" ? {} : { path }),
    ...texts,
  };
}

/** The messages of matchers that compare two values as a whole. */
const COMPARISON = / to (?:deeply|strictly) equal | to match object |\/\/ Object\.is equality/;
/** The messages of our own matchers. */
const OWN = /^Expected .*, found /s;

const equals: Equals = (actual, expected) => {
  const library = loadLibrary();
  return library.equals(actual, expected, [library.iterableEquality]);
};

function toTexts(
  actual: unknown,
  expected: unknown,
  mask: Mask,
): Pick<Failure, "actual" | "expected"> {
  if (typeof actual === "string" && typeof expected === "string") {
    const [left = "", right = ""] = aroundDifference(actual, expected, mask);
    return { actual: left, expected: right };
  }
  const write = (value: unknown): string => toText(value, mask);
  return {
    ...(actual === undefined && expected === undefined ? {} : { actual: write(actual) }),
    ...(expected === undefined ? {} : { expected: write(expected) }),
  };
}

/** The parts of two texts where they begin to differ; masked first, since half a secret is one, too. */
function aroundDifference(actual: string, expected: string, mask: Mask): readonly string[] {
  const at = firstDifference(actual, expected);
  const from = Math.max(0, at - AROUND);
  const parts = [actual, expected].map((text) => mask(text.slice(from, at + AROUND)));
  const [left = "", right = ""] = parts;
  const start = firstDifference(left, right) - BEFORE;
  const begin = start <= BEFORE ? 0 : start;
  return parts.map(
    (text) => `${begin + from > 0 ? "…" : ""}${shorten(text.slice(begin), LONGEST)}`,
  );
}

function firstDifference(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let at = 0;
  while (at < end && left[at] === right[at]) at += 1;
  return at;
}

function toText(value: unknown, mask: Mask): string {
  const matcher = toMatcherText(value, mask);
  return matcher ?? shorten(compactJson(value, LONGEST, createRedactor(mask)), LONGEST);
}

/** The text of `expect.any(Number)` and its like. */
function toMatcherText(value: unknown, mask: Mask): string | undefined {
  if (typeof value !== "object" || value === null || !("asymmetricMatch" in value))
    return undefined;
  const { toAsymmetricMatcher, sample } = value as {
    readonly toAsymmetricMatcher?: () => string;
    readonly sample?: unknown;
  };
  if (typeof toAsymmetricMatcher === "function")
    return shorten(mask(toAsymmetricMatcher.call(value)), LONGEST);
  return `${String(value)} ${toText(sample, mask)}`;
}

function messageOf(error: unknown, mask: Mask): string {
  const { message } = Object(error) as { readonly message?: unknown };
  const text = typeof message === "string" && message !== "" ? message : String(error);
  const most = text.startsWith("expected ") ? LONGEST_GENERATED : LONGEST;
  return shorten(mask(stripVTControlCharacters(text.slice(0, LONGEST * 10))), most);
}

/** The first place where two values differ. */
interface Difference {
  /** The path from the values to it: `$.items[0].id`; `$` if it is the values themselves. */
  readonly path: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

/** Whether two values are equal, as the matcher that compared them sees it. */
type Equals = (actual: unknown, expected: unknown) => boolean;

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
