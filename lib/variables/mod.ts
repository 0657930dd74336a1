/**
 * What fills placeholders: the variables of a client, environment files, the responses of named
 * requests, variables of TypeScript cells, prompts and generated values. It sends nothing.
 */

export { SECURITY } from "./environment-logins.ts";
export { EnvironmentError, PromptError, SecretError } from "./errors.ts";
export {
  createImports,
  createNamedRequests,
  explainUnknown,
  type Imports,
} from "./named-requests.ts";
export { createPrompter, type Prompter } from "./prompts.ts";
export {
  type NamedSecret,
  type ReferenceContext,
  type References,
  type SecretSource,
  withoutSource,
} from "./references.ts";
export { createResponseStore, type Responses } from "./responses.ts";
export type { SavedVariables } from "./save-variables.ts";
export type { Logins, Question, ScopeOptions, ScopeParts } from "./scope.ts";
export {
  type CheckTextOptions,
  createScopedMembers,
  type EnvironmentInfo,
  prepareParsed,
  type ScopedClient,
  type UseEnvOptions,
} from "./scoped-members.ts";
export { createScopes, type Scopes } from "./scopes.ts";
export {
  createSecretSource,
  type SecretFetcher,
  type SecretReference,
  type SecretRequest,
} from "./secret-source.ts";
export {
  createCellVariables,
  type Origin,
  type SetVarOptions,
  VariableStore,
} from "./variables.ts";
