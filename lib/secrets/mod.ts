/**
 * Finds out what is secret, and keeps it out of all output: names, headers and places in URLs that mark a
 * secret, a store of the secret texts with their placeholders, one search that finds them in plain and
 * derived forms, in texts and in streams, and masks of texts and data. It does not know requests, forms
 * of display or runtimes.
 */

export { combineSecrets, type Hidden, type Masking, SHOW_SECRETS } from "./combine.ts";
export {
  CREDENTIAL_HEADERS,
  hideCredential,
  holdsSecret,
  isCredentialHeader,
  type Material,
  type NameRule,
  SECRET_NAMES,
} from "./find/mod.ts";
export type { Provenance } from "./known-texts.ts";
export {
  createRedactor,
  hideLong,
  maskFound,
  maskValue,
  type Redactor,
  UNREDACTED,
} from "./mask-value.ts";
export { createMasker, type Masker, maskBeginning, maskTexts } from "./masker.ts";
export { isRevealed, markRevealed, type Revealed, reveal } from "./reveal.ts";
export {
  CONTROL_ESCAPES,
  HIDDEN,
  type SecretRange,
  type StreamMasker,
  type Stretch,
} from "./search/mod.ts";
export type { Secrets } from "./secrets.ts";
export { createSecretStore, type SecretStore } from "./store.ts";
