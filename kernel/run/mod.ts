/**
 * The commands that run documents: `run`, `test`, `verify` and `check`. Notebooks and `.http` files are read as
 * documents of cells, each runs in a session of its own, and outputs, results and reports are written. It does
 * not depend on Jupyter's protocol or the prompt.
 */

export type { CheckOptions } from "./check-command.ts";
export type { DocumentOptions, RunOptions } from "./context.ts";
export type { Shard } from "./selection.ts";
export type { TestOptions } from "./suite-plan.ts";
export type { VerifyOptions, VerifyReport } from "./verify-plan.ts";
export type { ReportOption } from "./write-reports.ts";
