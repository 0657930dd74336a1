/**
 * What a variable may hold, and its text: numbers without exponents, dates as ISO 8601, indented JSON.
 * Values are stored as snapshots; what has no rendering is refused with the path to it.
 */

export { isDate } from "./date.ts";
export { renderDecimal } from "./decimal.ts";
export { renderJson } from "./json.ts";
export { createNumberText, isNumberText } from "./number-text.ts";
export { refuseValue } from "./refusal.ts";
export { snapshotValue } from "./snapshot.ts";
export { stepText } from "./step-text.ts";
export type { Explanation, Generated, NumberText, Scope, Value, Variables } from "./value.ts";
