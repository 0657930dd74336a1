/**
 * Assertions about responses: a line such as `?? status == 200` is parsed into a field, a predicate and the
 * expected value, and evaluated against a response. It knows no client and runs no code: a front end
 * supplies what evaluates a JavaScript expression.
 */

export type {
  Answer,
  AssertionDraft,
  AssertionField,
  AssertionLocation,
  AssertionResult,
  DurationPart,
  LimitTime,
} from "./assertion.ts";
export { evaluateAssertion, valueText } from "./evaluate.ts";
export { createFailure, lineSpan } from "./failure.ts";
export { parseAssertion } from "./parse.ts";
