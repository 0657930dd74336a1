/**
 * Which texts can be searched for, where they are in any text, in plain and in derived forms, whole or
 * in a stream, and what is shown in their place.
 */

export { CONTROL_ESCAPES, unescapeText } from "./escapes.ts";
export { LONGEST, whyUnsafe } from "./maskability.ts";
export {
  HIDDEN,
  isHidden,
  isPlaceholder,
  joinRanges,
  maskRanges,
  type SecretRange,
  type Stretch,
} from "./placeholders.ts";
export { Search } from "./search.ts";
export { StreamMasker } from "./stream.ts";
