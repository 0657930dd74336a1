/** Parses what stands between the headers of a request and the next separator: the body, and what follows it. */

export { type ParsedBody, readBody } from "./body.ts";
export { endsHeaders } from "./body-lines.ts";
