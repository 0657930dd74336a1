/**
 * The shape of JSON: inferred from values, merged over examples, and compared with what was promised.
 * A shape is a JSON Schema, so every tool of the field reads it.
 */

export { compareShapes, type ShapeDifference } from "./compare.ts";
export { compareValues, type ValueRules } from "./compare-values.ts";
export { fitShape } from "./fit.ts";
export { inferShape } from "./infer.ts";
export { mergeShapes } from "./merge.ts";
export { EVERY, type Path, pathText } from "./path.ts";
export { parsePathPattern } from "./path-pattern.ts";
export { readShape } from "./read.ts";
export { describeShape, type Shape, type ShapeFormat, type ShapeType } from "./shape.ts";
export {
  mergeVerifyRules,
  readVerifyRule,
  type VerifyRule,
  verifyRuleFault,
} from "./verify-rule.ts";
