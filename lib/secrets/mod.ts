/**
 * Finds out what is secret, and keeps it out of all output: names, headers and places in URLs that mark a
 * secret, a store of the secret texts with their placeholders, one search that finds them in plain and
 * derived forms, in texts and in streams, and masks of texts and data. It does not know requests, forms
 * of display or runtimes.
 */

export { holdsSecret, type Material } from "./find.ts";
export type { Provenance } from "./known-texts.ts";
export {
  createMasker,
  createRedactor,
  hideLong,
  isRevealed,
  locateInBody,
  type Masker,
  markRevealed,
  maskBeginning,
  maskFound,
  maskValue,
  type Redactor,
  type Revealed,
  redactValue,
  reveal,
  UNREDACTED,
} from "./masker.ts";
export {
  CREDENTIAL_HEADERS,
  entriesOf,
  hideCredential,
  isCredentialHeader,
  type NameRule,
  SECRET_NAMES,
} from "./names.ts";
export { HIDDEN, type SecretRange, type Stretch } from "./placeholders.ts";
export { StreamMasker } from "./search.ts";
export {
  combineSecrets,
  createSecretStore,
  type Hidden,
  type Masking,
  SecretStore,
  type Secrets,
  SHOW_SECRETS,
} from "./store.ts";
