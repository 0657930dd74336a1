/**
 * What would go wrong, found without a value or a network: faults of the text, unknown names, JSON that
 * does not parse. Each fault carries its place and what to do.
 */

export { type CheckOptions, checkText } from "./check.ts";
export type { CheckCode, CheckFault } from "./check-fault.ts";
