/**
 * The beginning of a large JSON text as a value, without parsing the rest.
 */

export { indentJson } from "./indent-json.ts";
export { createJsonHead, type JsonHead } from "./json-head.ts";
export { jsonHeadOf, keepJsonHead } from "./json-kept.ts";
