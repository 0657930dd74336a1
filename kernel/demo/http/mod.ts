/**
 * Requests and responses of the embedded API: routes, queries, bodies, problem details (RFC 9457).
 *
 * @module
 */

export { isJsonObject } from "./json-object.ts";
export { Problem } from "./problem.ts";
export { readQuery } from "./query.ts";
export { readBody } from "./read-body.ts";
export { readJson } from "./read-json.ts";
export { type Bytes, reasonPhrase, respond, respondJson } from "./respond.ts";
export { allowedMethods, groupByPath, mountRoutes, type Route } from "./route.ts";
