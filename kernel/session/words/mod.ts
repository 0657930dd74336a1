/**
 * The words that completion offers, with their explanations: methods, headers, annotations, `%` lines and generated values of
 * the request language, and the members of `client`.
 */

export { ANNOTATIONS } from "./annotations.ts";
export { CLIENT_MEMBERS } from "./client-members.ts";
export { MAGICS, STRICT_VALUES } from "./magics.ts";
export { GENERATED, HEADERS, METHODS } from "./request-words.ts";
