/**
 * What is secret, and how nothing that is shown holds it: names, headers and places in URLs that say
 * so, a store of the texts with the placeholders that they came from, and a search that finds all of
 * them in one pass, in plain and in derived forms, in whole texts and in streams. It knows nothing
 * of requests, of forms of display or of runtimes, and depends on the placeholders' spelling alone.
 */

export { combineSecrets, type Hidden, type Masking, SHOW_SECRETS } from "./combine.ts";
export { holdsNamedSecret } from "./find-body.ts";
export { CREDENTIAL_HEADERS, hideCredential, isCredentialHeader } from "./headers.ts";
export { HIDDEN, type Stretch } from "./hidden.ts";
export { maskDeep } from "./mask-value.ts";
export { SECRET_NAMES } from "./names.ts";
export type { SecretRange } from "./ranges.ts";
export { isRevealed, markRevealed, type Revealed, reveal } from "./reveal.ts";
export type { Provenance, Secrets } from "./secrets.ts";
export { createSecretStore, type SecretStore } from "./store.ts";
export type { StreamMasker } from "./stream.ts";
