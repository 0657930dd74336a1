import type { DocumentOptions } from "../notebook/mod.ts";
import type { ReportOption } from "./reports/mod.ts";
import type { SelectionOptions, Shard } from "./selection/mod.ts";

/** Options of `restlab test`. */
export interface TestOptions extends DocumentOptions {
  /** Files, folders, globs, and places such as `api.http:12`. */
  readonly files: readonly string[];
  readonly selection: SelectionOptions;
  /** Whether to end the suite at the first failure. */
  readonly bail: boolean;
  /** How many files run at the same time. */
  readonly parallel: number;
  /** How often a cell that fails is run again. */
  readonly retries: number;
  readonly shard?: Shard;
  /** A file whose rows are runs of their own. */
  readonly data?: string;
  /** Whether to run again after each change of a file. */
  readonly watch: boolean;
  readonly reports: readonly ReportOption[];
}
