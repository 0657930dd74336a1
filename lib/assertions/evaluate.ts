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
    const { passed, value, actual: digest, message } = verdict;
    return {
      text,
      passed,
      expected: describeExpected(assertion, expected),
      actual: digest ?? valueText(value),
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

/** A value for which an assertion does not hold: one that a path leads to, or one of several. */
interface Failure extends Omit<Verdict, "passed"> {
  readonly at: number;
}

async function judge(
  assertion: AssertionDraft,
  actual: unknown,
  expected: string,
  context: AssertionContext,
): Promise<Verdict> {
  const isEach = assertion.isEach === true;
  if (isEach && !Array.isArray(actual)) {
    return { passed: false, value: actual, message: "It is not a list" };
  }
  const values: readonly unknown[] = isEach ? (actual as unknown[]) : [actual];
  // Nothing would be tested, and the assertion would pass.
  if (values.length === 0) return { passed: false, value: actual, message: "There is no value" };
  const failed = await findFailure(assertion, values, expected, context);
  if (failed === undefined) return { passed: true, value: actual };
  const { at, message = explain(assertion, failed.value, expected), ...rest } = failed;
  const place = isEach ? [`It is number ${at + 1} of ${values.length}`] : [];
  const texts = [...place, ...(message === undefined ? [] : [message])];
  return { ...rest, passed: false, ...(texts.length > 0 && { message: texts.join(". ") }) };
}

async function findFailure(
  assertion: AssertionDraft,
  values: readonly unknown[],
  expected: string,
  context: AssertionContext,
): Promise<Failure | undefined> {
  const { predicate: name } = assertion;
  if (Object.hasOwn(HASHES, name)) {
    return await findOtherDigest(assertion, values, expected, context);
  }
  const hold = createTest(assertion, expected, context);
  const find = (): Failure | undefined => {
    for (const [at, value] of values.entries()) {
      const result = hold(value);
      if (typeof result === "string") return { value, at, message: result };
      if (result === assertion.isNegated) return { value, at };
    }
    return undefined;
  };
  if (name !== "matches") return find();
  const { limitTime = (run) => run() } = context;
  const size = values.reduce<number>((sum, value) => sum + (toText(value)?.length ?? 0), 0);
  return limitTime(find, size);
}

async function findOtherDigest(
  { field, predicate: name, isNegated, isEach }: AssertionDraft,
  values: readonly unknown[],
  expected: string,
  { answer }: AssertionContext,
): Promise<Failure | undefined> {
  const isWhole = isWholeBody(field) && isEach !== true;
  for (const [at, value] of values.entries()) {
    const bytes = isWhole ? answer.bytes : new TextEncoder().encode(toText(value) ?? "");
    const { matches, actual } = await hasDigest(name, bytes, expected.trim());
    if (matches === isNegated) return { value, actual, at };
  }
  return undefined;
}

/** What says whether the predicate holds for a value; a text says why nobody can tell. */
function createTest(
  { field, predicate: name, isEach, ignoresCase }: AssertionDraft,
  expected: string,
  { answer }: AssertionContext,
): (value: unknown) => boolean | string {
  const test = findPredicate(name)?.test ?? (() => false);
  if (name === "matches") {
    const problem = patternProblem(expected);
    if (problem === undefined) return (value) => test(value, expected, ignoresCase ? "i" : "");
    throw new SyntaxError(`The regular expression "${expected}" is not valid: ${problem}`);
  }
  const wanted = ignoresCase ? expected.toLowerCase() : expected;
  const hold = (value: unknown): boolean | string =>
    test(ignoresCase ? toLowerCase(value) : value, wanted, "");
  // A body of JSON equals the same JSON, however it is formatted.
  const isCompared = isWholeBody(field) && isEach !== true && (name === "==" || name === "!=");
  const json = isCompared ? jsonOf(answer) : undefined;
  if (json === undefined) return hold;
  return name === "=="
    ? (value) => hold(value) || hold(json)
    : (value) => hold(value) && hold(json);
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
  expected: string,
): string | undefined {
  if (isNegated) return undefined;
  const [, , inner] = /^(["'])(.*)\1$/s.exec(expected) ?? [];
  const test = name === "matches" ? undefined : findPredicate(name)?.test;
  if (inner !== undefined && test?.(actual, inner, "") === true) {
    return "The quotes are a part of the expected value: write it without them";
  }
  if (
    name !== "contains" ||
    typeof actual !== "object" ||
    toText(actual)?.includes(expected) !== true
  )
    return undefined;
  return Array.isArray(actual)
    ? "contains looks for a whole element of a list"
    : "contains looks for a key of an object";
}
