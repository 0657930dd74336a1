/** The scripts and assertions of request texts: when each runs, what it sees, and what it changes of its request. */

export { createFileScripts, type FileScripts } from "./file-scripts.ts";
export { createChecks } from "./request-checks.ts";
export { runFileScript } from "./run-file-script.ts";
export { type ChangedRequest, withChanges } from "./script-request.ts";
