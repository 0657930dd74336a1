/**
 * Commands that begin with a dot, their help and their completion, and what they show of an exchange.
 */

export { completeEntry } from "./complete.ts";
export type { Documents } from "./documents.ts";
export { runCommandLine } from "./run-command.ts";
export { CommandError, type Shell } from "./shell.ts";
export { isBinary, visibleBody } from "./visible-body.ts";
