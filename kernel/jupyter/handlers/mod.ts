/**
 * One handler for each type of request, named as in the protocol, and the server that runs it between
 * busy and idle.
 */

export { Server } from "./server.ts";
