/**
 * What a session remembers: the history file, and its entries as a document without secrets.
 *
 * @module
 */

export { History } from "./history.ts";
export { createJournal, type Journal, variableLine } from "./journal.ts";
