import type { Fault } from "../../interpolation/mod.ts";

/** A fault of a request text that was found without sending it. */
export interface CheckFault extends Fault {
  /** The kind of fault. */
  readonly code: CheckCode;
  /** `error` prevents sending; `warning` is a probable mistake. */
  readonly severity: "error" | "warning";
}

/** The kinds of faults. */
export type CheckCode =
  | "syntax"
  | "name"
  | "reference"
  | "url"
  | "header"
  | "header-name"
  | "body"
  | "json"
  | "file"
  | "ignored";

/** Adds a code and a severity to a fault. */
export function toCheckFault(
  fault: Fault,
  code: CheckCode,
  severity: CheckFault["severity"] = "error",
): CheckFault {
  return { ...fault, code, severity };
}
