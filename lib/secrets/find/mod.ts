/**
 * Finds secrets by their place: in headers, URLs, JSON, forms, markup and source code.
 */

export { findIn, holdsSecret, type Material } from "./find.ts";
export { finderOf } from "./find-body.ts";
export { pairsIn } from "./find-pairs.ts";
export { findInUrl, findInUrls, openUrl } from "./find-url.ts";
export { findSecretValues, insideOf, isCount, type SecretState } from "./secret-values.ts";
