/**
 * A document run from its first cell to its last: cells, their outputs, what is told on the way.
 */

export type { Reporter } from "./reporter.ts";
export { type DocumentRun, isRunnable, runDocument } from "./run-document.ts";
