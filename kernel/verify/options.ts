import type { DocumentOptions } from "../notebook/mod.ts";
import type { ReportTarget } from "../reports/mod.ts";

/** A report of the results. */
export interface VerifyReport extends ReportTarget {
  readonly format: "json" | "junit";
}

/** Options of `restlab verify`. */
export interface VerifyOptions extends DocumentOptions {
  readonly files: readonly string[];
  /** The HAR file with what was promised; by default the saved outputs. */
  readonly baseline?: string;
  /** The file, or the URL, of an OpenAPI description. */
  readonly openapi?: string;
  /** Whether compatible differences are failures as well. */
  readonly strict: boolean;
  /** Whether to write the new outputs into the notebooks. */
  readonly update: boolean;
  /** Whether the new outputs have no times and dates. */
  readonly stable: boolean;
  readonly reports: readonly VerifyReport[];
}
