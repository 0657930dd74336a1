/**
 * One handler for each kind of request, by its name in the protocol, and the server that brackets each
 * with busy and idle.
 */

export { createServer } from "./server.ts";
