/** Finds faults of request texts without sending them; each has a position and a hint. */

export { type CheckOptions, checkText } from "./check.ts";
export type { CheckCode, CheckFault } from "./check-fault.ts";
