/**
 * Reads environment files into variables: `http-client.env.json`, `.env`, logins and typed values.
 */

export { type LoadedEnvironment, loadEnvironment } from "./environment.ts";
export type { EnvironmentVariable } from "./environment-variable.ts";
export { EnvironmentError, PromptError } from "./errors.ts";
export { isRecord, SECURITY } from "./logins.ts";
export { fromTagged, toTagged } from "./typed-values.ts";
