/**
 * The embedded users API: a small REST service to learn, try and test with. It keeps a list of users
 * and, beside it, routes that show what servers do: statuses, redirects, waiting, pictures, echoes,
 * logins, a WebSocket. `createUsersApi` is the service as a fetch function, `startDemo` puts it on a
 * port, where alone it takes WebSockets.
 * It depends on hono, srvx, ws and `kernel/platform`; load it only where it is used.
 *
 * @module
 */

export { createUsersApi } from "./api.ts";
export { type Demo, startDemo } from "./serve.ts";
