/**
 * Runs the cells of a document in order, collects their outputs and reports on them.
 *
 * @module
 */

export type { CellEnd, Reporter } from "./reporter.ts";
export { type DocumentRun, hasTag, isRunnable, isTypeScript, runDocument } from "./run-document.ts";
export { EXITED } from "./run-options.ts";
