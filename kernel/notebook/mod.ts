/**
 * `restlab run` and `restlab test`: read `.ipynb` and `.http` files, run each in a session of its own, and report at the
 * terminal. `run` writes the outputs to a notebook, `test` the results to reports. It does not depend on Jupyter's protocol or the prompt.
 *
 * @module
 */

export { runCommand } from "./command.ts";
export { type CommandContext, readAll, runInContext } from "./command-context.ts";
export {
  cellRule,
  checkCellRules,
  type Document,
  type DocumentCell,
  DocumentError,
  findDocuments,
  reasonOf,
} from "./document/mod.ts";
export type { DocumentOptions } from "./document-options.ts";
export { readEntries, renderEntries } from "./entries.ts";
export { EXIT } from "./exit-status.ts";
export type { RunOptions } from "./options.ts";
export {
  checkReports,
  type JunitCase,
  type JunitElement,
  type ReportOption,
  type ReportTarget,
  writeJunit,
  writeReport,
} from "./reports/mod.ts";
export { type DocumentRun, EarlyEnd, hasFailed, isRunnable } from "./run/mod.ts";
export { runInSession } from "./run-in-session.ts";
export { createSaver } from "./save.ts";
export type { Shard } from "./selection/mod.ts";
export { TerminalReporter } from "./terminal-reporter.ts";
export { testCommand } from "./test-command.ts";
export type { TestOptions } from "./test-options.ts";
