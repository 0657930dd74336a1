/**
 * What is secret, and how nothing that is shown holds it: names, headers and places in URLs that say
 * so, a store of the texts with the placeholders that they came from, and a search that finds all of
 * them in one pass, in plain and in derived forms, in whole texts and in streams. It knows nothing
 * of requests, of forms of display or of runtimes, and depends on the placeholders' spelling alone.
 */

export { combineSecrets, type Hidden, type Masking, SHOW_SECRETS } from "./combine.ts";
export { holdsSecret, type Material } from "./find/mod.ts";
export { maskFound, maskValue } from "./mask-value.ts";
export { createMasker, type Masker, maskBeginning, maskTexts } from "./masker.ts";
export {
  CREDENTIAL_HEADERS,
  HIDDEN,
  hideCredential,
  isCredentialHeader,
  SECRET_NAMES,
  type SecretRange,
  type Stretch,
} from "./names/mod.ts";
export { createRedactor, type Redactor, UNREDACTED } from "./redactor.ts";
export { isRevealed, markRevealed, type Revealed, reveal } from "./reveal.ts";
export type { StreamMasker } from "./search/mod.ts";
export type { Provenance, Secrets } from "./secrets.ts";
export { createSecretStore, type SecretStore } from "./store.ts";
