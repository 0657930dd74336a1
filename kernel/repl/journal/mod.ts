/**
 * What is remembered: the history file, and the entries of a session saved as a notebook, without secrets.
 */

export { type History, openHistory } from "./history.ts";
export { createJournal, type Journal } from "./journal.ts";
