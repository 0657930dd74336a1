/**
 * Finds secrets by the names of variables, headers, members and parameters, and by their place in URLs,
 * forms, markup and source code.
 */

export { findIn, holdsSecret, type Material } from "./find.ts";
export { pairsInBody } from "./find-body.ts";
export { locateInUrls } from "./find-url.ts";
export { CREDENTIAL_HEADERS, hideCredential, isCredentialHeader } from "./headers.ts";
export { createNameRule, type NameRule, SECRET_NAMES } from "./names.ts";
export {
  DECLARED,
  findSecretValues,
  isNumeric,
  OPEN,
  type Place,
  placeOfMember,
} from "./secret-values.ts";
