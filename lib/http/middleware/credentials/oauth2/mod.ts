/**
 * OAuth 2 and OpenID Connect by `oauth4webapi`: client credentials, password, authorization code, device
 * code, refreshed tokens.
 */

export { createOAuth2 } from "./authorizer.ts";
