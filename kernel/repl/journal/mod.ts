/**
 * What a session remembers: the history file, and its entries as a document without secrets.
 *
 * @module
 */

export { createHistory, type History } from "./history.ts";
export { createJournal, type Journal } from "./journal.ts";
