/**
 * What fills placeholders: the variables of a client, environment files, the responses of named
 * requests, variables of TypeScript cells, prompts and generated values. It sends nothing.
 */

export { createCellVariables } from "./cell-variables.ts";
export type { ScopeParts } from "./create-scope.ts";
export { EnvironmentError, isObjectValue, PromptError, SECURITY } from "./environments/mod.ts";
export type { Logins } from "./logins.ts";
export { createPrompter, type Prompter } from "./prompts.ts";
export {
  createImports,
  createNamedRequests,
  createResponseStore,
  type EntryActions,
  type Imports,
  type Responses,
  runEntries,
} from "./requests/mod.ts";
export type { SavedVariables } from "./save-variables.ts";
export type { Question, ScopeOptions } from "./scope-options.ts";
export type {
  CheckTextOptions,
  EnvironmentInfo,
  ScopedClient,
  UseEnvOptions,
} from "./scoped-client.ts";
export { createScopedMembers } from "./scoped-members.ts";
export { createScopes, type Scopes } from "./scopes.ts";
export { createVariableStore, type Origin, type SetVarOptions } from "./variables.ts";
