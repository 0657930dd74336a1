/**
 * Reads environment files into variables: `http-client.env.json`, `.env`, settings of VS Code, logins and
 * typed values.
 */

export { type EnvironmentFolder, type LoadedEnvironment, loadEnvironment } from "./environment.ts";
export type { EnvironmentVariable } from "./environment-variable.ts";
export { EnvironmentError, PromptError } from "./errors.ts";
export { explainEnvironments } from "./explain-environments.ts";
export { SECURITY } from "./logins.ts";
export { fromTagged, isObjectValue, toTagged } from "./typed-values.ts";
