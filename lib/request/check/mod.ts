/** Finds faults of request texts without sending them; each has a position and a hint. */

export { checkParsedText, checkText } from "./check.ts";
export type { CheckCode, CheckFault } from "./check-fault.ts";
export type { CheckOptions } from "./check-options.ts";
