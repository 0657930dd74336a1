/** Middleware around fetch: redirects, cookies, credentials, tokens of logins, stale connections. */

export { type Attempt, recordSent, toExchangeHops, toSentRequest } from "./attempt.ts";
export { addStoredCookies, withCookies } from "./cookie-middleware.ts";
export { authorizeHop, withCredentials } from "./credential-middleware.ts";
export { followRedirects } from "./follow-redirects.ts";
export { retryStaleConnections } from "./stale-connection.ts";
export { type LoginTokens, withFreshTokens } from "./token-middleware.ts";
