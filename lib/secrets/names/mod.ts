/**
 * Names that say that their value is secret: of variables, headers, members and parameters in URLs.
 */

export {
  CREDENTIAL_HEADERS,
  hideCredential,
  isAddressHeader,
  isCredentialHeader,
  secretsOfHeader,
} from "./headers.ts";
export {
  besideMarks,
  type Found,
  HIDDEN,
  isHidden,
  isPlaceholder,
  marksIn,
  type Stretch,
} from "./hidden.ts";
export { whyUnsafe } from "./maskability.ts";
export { createNameRule, type NameRule, SECRET_NAMES } from "./names.ts";
export { joinRanges, maskRanges, type SecretRange } from "./ranges.ts";
