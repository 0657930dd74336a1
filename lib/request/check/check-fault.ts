import type { Fault } from "../../interpolation/mod.ts";

/** Something that is wrong with a request text, found without sending it. */
export interface CheckFault extends Fault {
  /** What kind of fault it is, for programs. */
  readonly code: CheckCode;
  /** `error`: it cannot be sent. `warning`: it is sent as it stands, and probably not meant so. */
  readonly severity: "error" | "warning";
}

/** The kinds of faults that a check tells apart. */
export type CheckCode =
  | "syntax"
  | "name"
  | "reference"
  | "url"
  | "header"
  | "body"
  | "json"
  | "file"
  | "ignored";
