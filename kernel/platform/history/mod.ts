/**
 * Histories of sessions on disk, read from their ends.
 */

export { historyPath } from "./history-path.ts";
export { readTail } from "./read-tail.ts";
export { type KeptCell, openSessionHistory, type SessionHistory } from "./session-history.ts";
export { takeOutLines } from "./take-out-lines.ts";
