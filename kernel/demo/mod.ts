/**
 * The embedded users API: a small REST service to learn, try and test with. It has a list of users and
 * routes that show what servers do: statuses, redirects, delays, images, echoes, logins, a WebSocket.
 * `createUsersApi` creates the service as a fetch function; `startDemo` serves it on a port, with its
 * WebSocket; `demoCommand` is `restlab demo`. It depends on hono, srvx, ws and `kernel/platform`; load it only where it is used.
 *
 * @module
 */

export { startDemo } from "./serve.ts";
