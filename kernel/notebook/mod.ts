/**
 * `restlab run` and `restlab test`: read `.ipynb` and `.http` files, run each in a session of its own, and report at the
 * terminal. `run` writes the outputs to a notebook, `test` the results to reports. It does not depend on Jupyter's protocol or the prompt.
 *
 * @module
 */

export { runCommand } from "./command.ts";
export {
  cellRule,
  checkCellRules,
  type Document,
  type DocumentCell,
  DocumentError,
  findDocuments,
  reasonOf,
} from "./document/mod.ts";
export { readEntries, renderEntries } from "./entries.ts";
export { EXIT } from "./exit-status.ts";
export type { RunObserver, RunOptions } from "./options.ts";
export type { ReportOption } from "./reports/mod.ts";
export { isRunnable } from "./run/mod.ts";
export type { Shard } from "./selection/mod.ts";
export { TerminalReporter } from "./terminal-reporter.ts";
export { testCommand } from "./test-command.ts";
export type { TestOptions } from "./test-options.ts";
