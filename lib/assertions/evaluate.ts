import {
  isNumberText,
  locate,
  selectAll,
  shorten,
  type Template,
  type Value,
  type ValuePath,
} from "../interpolation/mod.ts";
import type {
  Answer,
  AssertionDraft,
  AssertionField,
  AssertionResult,
  LimitTime,
} from "./assertion.ts";
import { patternProblem } from "./parse.ts";
import { findPredicate, HASHES, hasDigest, toText } from "./predicates.ts";

/** What an assertion is evaluated with. */
interface AssertionContext {
  /** The file of the assertion, if it is known. */
  readonly file?: string | undefined;
  /** The response. */
  readonly answer: Answer;
  /** Renders an expected value. */
  readonly render: (template: Template) => string;
  /** Evaluates a JavaScript expression; without it, an assertion with one fails. */
  readonly evaluate?:
    | ((expression: string, assertion: AssertionDraft) => Promise<unknown>)
    | undefined;
  /** Ends regular expressions; without it, they take as long as they do. */
  readonly limitTime?: LimitTime | undefined;
}

/** How much of a value a result keeps. */
const LONGEST = 2_000;

/**
 * Evaluates an assertion against a response. An error of an expression, or a placeholder without a value, is a
 * failure with a message.
 */
export async function evaluateAssertion(
  assertion: AssertionDraft,
  context: AssertionContext,
): Promise<AssertionResult> {
  const { file } = context;
  const { source, span } = assertion;
  const location = { ...(file === undefined ? {} : { file }), ...locate(assertion, span.start) };
  const text = source.slice(span.start + 2, span.end).trim();
  let expected: string | undefined;
  try {
    expected = assertion.expected === undefined ? undefined : context.render(assertion.expected);
    const actual = await readField(assertion, context);
    const verdict = await judge(assertion, actual, expected ?? "", context);
    const { passed, message = passed ? undefined : explain(assertion, verdict.value, expected) } =
      verdict;
    return {
      text,
      passed,
      expected: describeExpected(assertion, expected),
      actual: verdict.actual ?? valueText(verdict.value),
      ...(message === undefined ? {} : { message }),
      location,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isRendered = assertion.expected === undefined || expected !== undefined;
    return {
      text,
      passed: false,
      ...(isRendered ? { expected: describeExpected(assertion, expected) } : {}),
      message,
      location,
    };
  }
}

/** A value as a result shows it: a text as it is, data as JSON. */
function valueText(value: unknown): string {
  const text =
    toText(value) ?? (value === undefined ? "undefined" : Object.prototype.toString.call(value));
  return shorten(text, LONGEST);
}

interface Verdict {
  readonly passed: boolean;
  /** What was found; of several values the first that failed. */
  readonly value: unknown;
  /** Its digest, where that is compared. */
  readonly actual?: string;
  readonly message?: string;
}

async function judge(
  assertion: AssertionDraft,
  actual: unknown,
  expected: string,
  context: AssertionContext,
): Promise<Verdict> {
  const { isEach = false } = assertion;
  if (!isEach) {
    const [verdict] = await judgeAll(assertion, [actual], expected, context);
    return verdict ?? { passed: true, value: actual };
  }
  if (!Array.isArray(actual)) return { passed: false, value: actual, message: "It is not a list" };
  // Nothing would be tested, and the assertion would pass.
  if (actual.length === 0) return { passed: false, value: actual, message: "There is no value" };
  const [failed] = await judgeAll(assertion, actual, expected, context);
  if (failed === undefined) return { passed: true, value: actual };
  const message = failed.message ?? explain(assertion, failed.value, expected);
  const place = `It is number ${failed.at + 1} of ${actual.length}`;
  return { ...failed, message: message === undefined ? place : `${place}. ${message}` };
}

/** The first verdict that failed, and where it is. */
async function judgeAll(
  assertion: AssertionDraft,
  values: readonly unknown[],
  expected: string,
  { answer, limitTime = (run) => run() }: AssertionContext,
): Promise<readonly (Verdict & { readonly at: number })[]> {
  const { field, predicate: name, isNegated, isEach = false, ignoresCase = false } = assertion;
  const isWhole = isWholeBody(field) && !isEach;
  if (Object.hasOwn(HASHES, name)) {
    for (const [at, value] of values.entries()) {
      const bytes = isWhole ? answer.bytes : new TextEncoder().encode(toText(value) ?? "");
      const { matches, actual } = await hasDigest(name, bytes, expected.trim());
      if (matches === isNegated) return [{ passed: false, value, actual, at }];
    }
    return [];
  }
  const problem = name === "matches" ? patternProblem(expected) : undefined;
  if (problem !== undefined) {
    throw new SyntaxError(`The regular expression "${expected}" is not valid: ${problem}`);
  }
  const test = findPredicate(name)?.test ?? (() => false);
  const fold = ignoresCase ? toLowerCase : (value: unknown): unknown => value;
  const wanted = name === "matches" ? expected : String(fold(expected));
  const hold = (value: unknown): boolean | string =>
    test(name === "matches" ? value : fold(value), wanted, ignoresCase ? "i" : "");
  // A body of JSON equals the same JSON, however it is formatted.
  const json = isWhole && (name === "==" || name === "!=") ? jsonOf(answer) : undefined;
  const outcome = (value: unknown): boolean | string =>
    json === undefined
      ? hold(value)
      : name === "=="
        ? hold(value) || hold(json)
        : hold(value) && hold(json);
  const find = () => {
    for (const [at, value] of values.entries()) {
      const result = outcome(value);
      if (typeof result === "string") return [{ passed: false, value, at, message: result }];
      if (result === isNegated) return [{ passed: false, value, at }];
    }
    return [];
  };
  if (name !== "matches") return find();
  const size = values.reduce<number>((sum, value) => sum + (toText(value)?.length ?? 0), 0);
  return limitTime(find, size);
}

/** A text, or a list with texts, in lower case. */
function toLowerCase(value: unknown): unknown {
  if (typeof value === "string") return value.toLowerCase();
  return Array.isArray(value) ? value.map(toLowerCase) : value;
}

function isWholeBody(field: AssertionField): boolean {
  return field.kind === "body" && field.path === undefined;
}

async function readField(assertion: AssertionDraft, context: AssertionContext): Promise<unknown> {
  const { field } = assertion;
  const { answer, evaluate } = context;
  switch (field.kind) {
    case "status":
      return answer.status;
    case "duration":
      return durationOf(answer, field.part);
    case "header":
      return answer.headers.get(field.name) ?? undefined;
    case "count":
      return countAt(bodyOf(answer), field.path);
    case "body":
      if (field.path !== undefined) return followPath(bodyOf(answer), field.path, assertion.isEach);
      return assertion.isEach === true ? bodyOf(answer) : answer.text;
    case "js":
      if (evaluate !== undefined && field.isRefused !== true)
        return await evaluate(field.expression, assertion);
      throw new Error("JavaScript of a request text runs only in a cell, a file or a prompt entry");
  }
}

/** Milliseconds, to a tenth: more digits are noise. */
function durationOf({ timing, connection }: Answer, part: string): number | undefined {
  const { dns, connect, tls, firstByte } = connection?.times ?? {};
  const parts: Readonly<Record<string, () => number | undefined>> = {
    total: () => timing.total,
    dns: () => dns,
    tcp: () => (connect === undefined ? undefined : connect - (dns ?? 0)),
    tls: () => (tls === undefined ? undefined : tls - (connect ?? 0)),
    firstByte: () =>
      firstByte === undefined ? timing.headers : firstByte - (tls ?? connect ?? dns ?? 0),
    download: () => timing.total - timing.headers,
  };
  const time = parts[part]?.();
  return time === undefined ? undefined : Math.round(time * 10) / 10;
}

/** The body as JSON, or as text. */
function bodyOf(answer: Answer): unknown {
  const json = jsonOf(answer);
  return json === undefined ? answer.text : json;
}

function jsonOf(answer: Answer): unknown {
  try {
    return answer.json;
  } catch {
    // The body is not JSON: it is text.
    return undefined;
  }
}

/** What a path leads to: of a JSONPath the first value, or all. */
function followPath(body: unknown, { steps, query }: ValuePath, isAll = false): unknown {
  const value = steps.reduce<unknown>(takeStep, body);
  if (query === undefined || value === undefined) return value;
  const isList = query.endsWith("[]");
  const found = selectAll(value as Value, isList ? query.slice(0, -2) : query);
  return isList || isAll ? found : found[0];
}

function countAt(body: unknown, path: ValuePath): number | undefined {
  const found = followPath(body, path, true);
  return Array.isArray(found) ? found.length : undefined;
}

/** An own property, an element, or the length of a text or a list. */
function takeStep(value: unknown, step: string | number): unknown {
  if (typeof value === "string" || Array.isArray(value)) {
    return step === "length" ? value.length : typeof step === "number" ? value.at(step) : undefined;
  }
  if (typeof value !== "object" || value === null || isNumberText(value)) return undefined;
  return Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
}

function describeExpected(
  { predicate: name, isNegated, isEach = false, ignoresCase = false }: AssertionDraft,
  expected: string | undefined,
): string {
  const words = `${isEach ? "each " : ""}${isNegated ? "not " : ""}${ignoresCase ? "ignoreCase " : ""}`;
  const { expects } = findPredicate(name) ?? {};
  if (expected === undefined) return `${words}${expects ?? name}`;
  const sign = name === "==" && words === "" ? "" : `${words}${name} `;
  return `${sign}${expected}`;
}

/** What is often meant where something else is written. */
function explain(
  { predicate: name, isNegated }: AssertionDraft,
  actual: unknown,
  expected: string | undefined,
): string | undefined {
  if (isNegated) return undefined;
  const [, , inner] = /^(["'])(.*)\1$/s.exec(expected ?? "") ?? [];
  const test = name === "matches" ? undefined : findPredicate(name)?.test;
  if (inner !== undefined && test?.(actual, inner, "") === true) {
    return "The quotes are a part of the expected value: write it without them";
  }
  const isInside = name === "contains" && typeof actual === "object" && expected !== undefined;
  if (!isInside || toText(actual)?.includes(expected) !== true) return undefined;
  return Array.isArray(actual)
    ? "contains looks for a whole element of a list"
    : "contains looks for a key of an object";
}
