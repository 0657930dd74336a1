/** OAuth 2 and OpenID Connect on `oauth4webapi`: grants, discovery, token refresh. */

export { createOAuth2 } from "./authorizer.ts";
