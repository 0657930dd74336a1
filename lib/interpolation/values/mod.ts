/**
 * The values of variables and their text: numbers without exponents, dates as ISO 8601, JSON. Values are
 * stored as copies; what cannot be rendered is refused with its path.
 */

export { isDate } from "./date.ts";
export { renderDecimal } from "./decimal.ts";
export { renderJson } from "./json.ts";
export { createNumberText, isNumberText, JSON_NUMBER, parseWrittenNumber } from "./number-text.ts";
export { isRecord, memberOf } from "./record.ts";
export { refuseValue } from "./refusal.ts";
export { snapshotValue } from "./snapshot.ts";
export { stepText } from "./step-text.ts";
export type { Explanation, Generated, NumberText, Scope, Value, Variables } from "./value.ts";
