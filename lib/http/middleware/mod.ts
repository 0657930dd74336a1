/**
 * What each hop of a request passes: redirects, cookies, credentials and the tokens of logins.
 */

export { addKeptCookies, withCookies } from "./cookie-middleware.ts";
export { authorizeHop, withCredentials } from "./credential-middleware.ts";
export { followRedirects } from "./follow-redirects.ts";
export { retryStaleConnections } from "./stale-connection.ts";
export { type GivenTokens, withFreshTokens } from "./token-middleware.ts";
export { asSent, recordSent, type Trip } from "./trip.ts";
