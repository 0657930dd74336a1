/**
 * JSON as data: text to values without losing digits, the shape of values as JSON Schema, and the
 * comparison of values and shapes by path.
 */

export {
  compareShapes,
  compareValues,
  type Path,
  pathText,
  type ShapeDifference,
} from "./compare.ts";
export { parseJson, parseWrittenJson, toPlainNumbers } from "./parse-json.ts";
export { fitShape, inferShape, readShape, type Shape } from "./shape.ts";
export {
  mergeVerifyRules,
  parsePathPattern,
  readVerifyRule,
  type VerifyRule,
  verifyRuleFault,
} from "./verify-rule.ts";
