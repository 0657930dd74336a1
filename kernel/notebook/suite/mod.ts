/**
 * What `restlab test` adds to running documents: several at the same time, their progress and summary at the
 * terminal, and watching files.
 *
 * @module
 */

export { FileWatcher } from "./file-watcher.ts";
export { runInOrder } from "./run-in-order.ts";
export { SuiteTerminal } from "./suite-terminal.ts";
