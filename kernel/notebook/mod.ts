/**
 * `restlab run`: reads `.ipynb` and `.http` files, runs each in a session of its own, reports at the
 * terminal and writes the outputs to a notebook. It does not depend on Jupyter's protocol or the prompt.
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
export { EXIT, type RunObserver, type RunOptions } from "./options.ts";
export { isRunnable } from "./run/mod.ts";
export { TerminalReporter } from "./terminal-reporter.ts";
