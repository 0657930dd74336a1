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
  const { source, span, predicate: name } = assertion;
  const location = { ...(file === undefined ? {} : { file }), ...locate(assertion, span.start) };
  const text = source.slice(span.start + 2, span.end).trim();
  let expected: string | undefined;
  try {
    expected = assertion.expected === undefined ? undefined : context.render(assertion.expected);
    const actual = await readField(assertion, context);
    const verdict = await test(name, actual, expected ?? "", assertion.field, context);
    const passed = verdict.matches !== assertion.isNegated;
    const message = passed ? undefined : explain(actual, expected);
    return {
      text,
      passed,
      expected: describeExpected(assertion, expected),
      actual: verdict.actual ?? valueText(actual),
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

async function test(
  name: string,
  actual: unknown,
  expected: string,
  field: AssertionField,
  { answer, limitTime = (run) => run() }: AssertionContext,
): Promise<{ readonly matches: boolean; readonly actual?: string }> {
  if (Object.hasOwn(HASHES, name)) {
    const bytes = isWholeBody(field)
      ? answer.bytes
      : new TextEncoder().encode(toText(actual) ?? "");
    return await hasDigest(name, bytes, expected.trim());
  }
  const problem = name === "matches" ? patternProblem(expected) : undefined;
  if (problem !== undefined) {
    throw new SyntaxError(`The regular expression "${expected}" is not valid: ${problem}`);
  }
  const holds = (value: unknown): boolean => findPredicate(name)?.test?.(value, expected) === true;
  if (name === "matches") {
    return { matches: limitTime(() => holds(actual), toText(actual)?.length ?? 0) };
  }
  if (!isWholeBody(field) || (name !== "==" && name !== "!=")) return { matches: holds(actual) };
  // A body of JSON equals the same JSON, however it is formatted.
  const json = jsonOf(answer);
  const results = (json === undefined ? [actual] : [actual, json]).map(holds);
  return { matches: name === "==" ? results.includes(true) : !results.includes(false) };
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
    case "body":
      return field.path === undefined ? answer.text : followPath(bodyOf(answer), field.path);
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

function followPath(body: unknown, path: ValuePath): unknown {
  const value = path.steps.reduce<unknown>(takeStep, body);
  if (path.query === undefined || value === undefined) return value;
  const isList = path.query.endsWith("[]");
  const found = selectAll(value as Value, isList ? path.query.slice(0, -2) : path.query);
  return isList ? found : found[0];
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
  { predicate: name, isNegated }: AssertionDraft,
  expected: string | undefined,
): string {
  const not = isNegated ? "not " : "";
  const { expects } = findPredicate(name) ?? {};
  if (expected === undefined) return `${not}${expects ?? name}`;
  const sign = name === "==" && !isNegated ? "" : `${not}${name} `;
  return `${sign}${expected}`;
}

/** A value in quotes is often meant without them. */
function explain(actual: unknown, expected: string | undefined): string | undefined {
  const quoted = /^(["'])(.*)\1$/s.exec(expected ?? "");
  if (quoted === null || quoted[2] !== toText(actual)) return undefined;
  return "The quotes are a part of the expected value: write it without them";
}
