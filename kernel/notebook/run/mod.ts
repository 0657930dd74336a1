/**
 * Runs the cells of a document in order, collects their outputs and reports on them.
 *
 * @module
 */

export type { Reporter } from "./reporter.ts";
export { type DocumentRun, isRunnable, runDocument } from "./run-document.ts";
