/**
 * Assertions about responses: a line such as `?? status == 200` is parsed into a field, a predicate and the
 * expected value, and evaluated against a response. It knows no client and runs no code: a front end
 * supplies what evaluates a JavaScript expression.
 */

export {
  type Answer,
  type AssertionDraft,
  type AssertionField,
  type AssertionLocation,
  type AssertionResult,
  createFailure,
  type DurationPart,
  failureDetail,
  isFailedAssertion,
  type LimitTime,
  lineSpan,
} from "./assertion.ts";
export { evaluateAssertion } from "./evaluate.ts";
export { parseAssertion } from "./parse.ts";
