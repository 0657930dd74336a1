/**
 * Commands that begin with a dot, with their help and completion.
 *
 * @module
 */

export { completeEntry } from "./complete.ts";
export type { Documents } from "./documents.ts";
export { explain } from "./explain.ts";
export { masked } from "./requests.ts";
export { CommandError, type Shell } from "./shell.ts";
export { runCommandLine } from "./table.ts";
export { visibleBody } from "./visible-body.ts";
