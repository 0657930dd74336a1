/**
 * Finds known secrets in any text, in plain and in derived forms, whole or in a stream.
 */

export { unescapeText } from "./escapes.ts";
export { earlier, noMatch, type PartialMatch } from "./partial-match.ts";
export { createSearch, type Search } from "./search.ts";
export { createStreamMasker, type StreamMasker } from "./stream.ts";
