/**
 * History files of sessions.
 *
 * @module
 */

export { historyPath } from "./history-path.ts";
export { readTail } from "./read-tail.ts";
export { removeLines } from "./remove-lines.ts";
export type { KeptCell } from "./session-file.ts";
export { openSessionHistory, type SessionHistory } from "./session-history.ts";
