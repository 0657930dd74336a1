import type { RunOptions } from "../notebook/mod.ts";

/** Options of `restlab verify`. */
export interface VerifyOptions {
  /** How the documents are run. */
  readonly run: Omit<RunOptions, "output" | "observer" | "interact" | "ask">;
  /** The HAR file with what was promised; by default the saved outputs. */
  readonly baseline?: string;
  /** The file, or the URL, of an OpenAPI description. */
  readonly openapi?: string;
  /** Whether compatible differences are failures as well. */
  readonly strict: boolean;
  /** Whether to write the new outputs into the notebooks. */
  readonly update: boolean;
  /** Where to write the results as JSON: a file, or `-` for standard output. */
  readonly json?: string;
  /** The file for the results as JUnit XML. */
  readonly junit?: string;
}
