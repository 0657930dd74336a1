/**
 * JSON as data: text to values without losing digits, the shape of values as JSON Schema, and the
 * comparison of values and shapes by path.
 */

export { type CompareRules, compareValues, type Difference, toCanonicalJson } from "./compare.ts";
export { compareShapes, type ShapeDifference } from "./compare-shapes.ts";
export { parseNumber, toPlainNumbers } from "./numbers.ts";
export {
  findJsonFault,
  HEAD_LIMITS,
  type JsonFault,
  type JsonHead,
  parseJson,
  parseWrittenJson,
  readJsonHead,
} from "./parse-json.ts";
export {
  fitShape,
  inferShape,
  readShape,
  type Shape,
  shapeOfMember,
  typesOf,
} from "./shape.ts";
export { type JsonToken, jsonTokens, repeatedKeys } from "./tokens.ts";
export {
  mergeVerifyRules,
  parsePathPattern,
  readVerifyRule,
  type VerifyRule,
  verifyRuleFault,
} from "./verify-rule.ts";
