import { stripVTControlCharacters } from "node:util";
import { failureDetail } from "../../lib/assertions/mod.ts";
import { compactJson } from "../../lib/display/mod.ts";
import { messageOf, pathText, shorten } from "../../lib/interpolation/mod.ts";
import { type CompareRules, compareValues } from "../../lib/json/mod.ts";
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
    return isAssertionFailure(error) ? describe(error, mask) : { message: saidBy(error, mask) };
  } catch (thrown) {
    // A getter or a proxy of a value has thrown.
    return { message: saidBy(thrown, mask) };
  }
}

/**
 * Gives a failed assertion its name, and a message without terminal codes that is short enough to be shown; below
 * one that would not show where two values differ, their difference.
 */
export function tidyFailure(error: unknown, failure: Failure, mask: Mask): void {
  if (!isAssertionFailure(error)) return;
  const isWhole = failure.path === undefined && error.message.length <= LONGEST_GENERATED;
  const said = saidBy(error, mask);
  const message =
    failure.message !== undefined || isWhole ? said : `${said}\n${failureDetail(failure)}`;
  nameFailure(error);
  Reflect.defineProperty(error, "message", { value: message, configurable: true });
}

function describe(error: AssertionFailure, mask: Mask): Failure {
  const { actual, expected, message, __vitest_error_context__: context } = error;
  const isComparison = COMPARISON.test(message);
  const difference = isComparison
    ? firstDifference(actual, expected)
    : { path: String(context?.meta?.path ?? "$"), actual, expected };
  const { path } = difference;
  const texts = toTexts(difference.actual, difference.expected, mask);
  // Two values that differ say as much, unless the person has given a message.
  const isPlain = message.startsWith("expected ") ? isComparison : OWN.test(message);
  const isSaid = isPlain && texts.actual !== texts.expected;
  return {
    ...(isSaid ? {} : { message: saidBy(error, mask) }),
    ...(path === "$" ? {} : { path }),
    ...texts,
  };
}

/** The messages of matchers that compare two values as a whole. */
const COMPARISON = / to (?:deeply|strictly) equal | to match object |\/\/ Object\.is equality/;
/** The messages of our own matchers. */
const OWN = /^Expected .*, found /s;

/** The first place where two values differ, as the matcher that compared them sees it. */
function firstDifference(actual: unknown, expected: unknown): Place {
  const { equals, iterableEquality } = loadLibrary();
  const isEqual = (one: unknown, other: unknown): boolean => equals(other, one, [iterableEquality]);
  return findDifference(actual, expected, isEqual);
}

/** Where two values differ; the path is `$` for the values themselves. */
interface Place {
  readonly path: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

/** Finds the first difference of two values that are not equal, inside of arrays and plain objects. */
export function findDifference(
  actual: unknown,
  expected: unknown,
  isEqual: CompareRules["isEqual"],
): Place {
  const [found] = compareValues(expected, actual, { isEqual, comparesItems: true });
  if (found === undefined) return { path: "$", actual, expected };
  const path = pathText(found.path) + (found.kind === "length" ? ".length" : "");
  return { path, actual: found.actual, expected: found.expected };
}

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
  const at = commonLength(actual, expected);
  const from = Math.max(0, at - AROUND);
  const parts = [actual, expected].map((text) => mask(text.slice(from, at + AROUND)));
  const [left = "", right = ""] = parts;
  const start = commonLength(left, right) - BEFORE;
  const begin = start <= BEFORE ? 0 : start;
  return parts.map(
    (text) => `${begin + from > 0 ? "…" : ""}${shorten(text.slice(begin), LONGEST)}`,
  );
}

function commonLength(left: string, right: string): number {
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

function saidBy(error: unknown, mask: Mask): string {
  const text = messageOf(error) || String(error);
  const most = text.startsWith("expected ") ? LONGEST_GENERATED : LONGEST;
  return shorten(mask(stripVTControlCharacters(text.slice(0, LONGEST * 10))), most);
}
