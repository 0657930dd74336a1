/**
 * What all commands that run documents share: their options and exit statuses, signals, the embedded API, the
 * recording, and the session in which a document runs.
 *
 * @module
 */

export { type CommandContext, readAll, runInContext } from "./command-context.ts";
export type { DocumentOptions } from "./document-options.ts";
export { EXIT } from "./exit-status.ts";
export type { DocumentSession } from "./open-session.ts";
export { type RunningDocument, runInSession } from "./run-in-session.ts";
