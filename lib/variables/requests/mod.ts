/**
 * Requests by their names: those that a client knows, the files that texts import, the order in which references
 * are sent, and the responses.
 */

export { createImports, type Imports } from "./imports.ts";
export { createNamedRequests, type NamedRequests } from "./named-requests.ts";
export { createResponseStore, type ResponseStore, type Responses } from "./responses.ts";
export { type EntryActions, runEntries } from "./run-entries.ts";
