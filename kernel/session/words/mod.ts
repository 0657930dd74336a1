/**
 * The words that completion offers, with their explanations: methods, headers, annotations and generated values of
 * the request language, and the members of `client`.
 */

export { ANNOTATIONS } from "./annotations.ts";
export { CLIENT_MEMBERS } from "./client-members.ts";
export { GENERATED, HEADERS, METHODS } from "./request-words.ts";
