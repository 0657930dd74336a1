/**
 * Finds secrets where their place tells: in headers, URLs, JSON, forms, markup and source code.
 */

export { finderOf, holdsNamedSecret } from "./find-body.ts";
export { findInSource } from "./find-source.ts";
export { findInUrl, findInUrls, openUrl } from "./find-url.ts";
export { findSecretValues } from "./secret-values.ts";
