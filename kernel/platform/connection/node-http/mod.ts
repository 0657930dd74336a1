/** The parts of a fetch over Node's HTTP client: the call as data, the body, the response, and its connection. */

export { createNodeBody, type NodeBody } from "./body.ts";
export { type NodeCall, readCall } from "./call.ts";
export { observeConnection } from "./details.ts";
export { NULL_BODY, toResponse } from "./response.ts";
