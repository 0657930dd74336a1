/**
 * The routes besides the users: logins, redirects, streams, slow answers, statuses, echoes.
 *
 * @module
 */

export { descriptionRoutes } from "./description-routes.ts";
export { createDigestRoutes } from "./digest-routes.ts";
export { echoRoutes } from "./echo-routes.ts";
export { acceptEchoSockets, type EchoSockets, socketRoutes } from "./echo-socket.ts";
export { listingRoutes } from "./listing-routes.ts";
export { redirectRoutes } from "./redirect-routes.ts";
export { secureRoutes } from "./secure-routes.ts";
export { slowRoutes } from "./slow-routes.ts";
export { statusRoutes } from "./status-routes.ts";
export { streamRoutes } from "./stream-routes.ts";
export { createTokenRoutes } from "./token-routes.ts";
