/**
 * Runs the cells of a document in order, collects their outputs and reports on them.
 *
 * @module
 */

export { EarlyEnd } from "./early-end.ts";
export type { CellEnd, Reporter } from "./reporter.ts";
export {
  type DocumentRun,
  hasFailed,
  hasTag,
  isRunnable,
  isTypeScript,
  runDocument,
} from "./run-document.ts";
export type { RunDocumentOptions } from "./run-options.ts";
