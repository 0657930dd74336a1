/**
 * `restlab run`: reads `.ipynb` and `.http` files, runs each in a session of its own, reports at the terminal and
 * writes the outputs to a notebook. `restlab test` and `restlab verify` are built on it. It does not depend on
 * Jupyter's protocol or the prompt.
 *
 * @module
 */

export { runCommand } from "./command.ts";
export {
  type CommandContext,
  type DocumentOptions,
  EXIT,
  type RunningDocument,
  readAll,
  runInContext,
  runInSession,
} from "./context/mod.ts";
export {
  cellRule,
  checkCellRules,
  checkWrittenFiles,
  type Document,
  type DocumentCell,
  DocumentError,
  findDocuments,
} from "./document/mod.ts";
export { readEntries, renderEntries } from "./entries.ts";
export type { RunOptions } from "./options.ts";
export {
  type CellEnd,
  type DocumentRun,
  EarlyEnd,
  hasFailed,
  hasTag,
  isRunnable,
  isTypeScript,
  type Reporter,
} from "./run/mod.ts";
export { createSaver } from "./save.ts";
export { TerminalReporter } from "./terminal-reporter.ts";
