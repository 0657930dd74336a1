/**
 * Credentials: what a request has to carry so that a server lets it in. Basic, bearer, API keys,
 * digest (RFC 7616), OAuth 2 with its tokens, AWS signatures. Web standards alone; fetch, the clock
 * and the browser are handed in. What is not used is not loaded. It knows no client and no request
 * text beyond the `Authorization` line.
 */

export type { Authorization, Authorizer, CredentialContext, Outgoing } from "./authorizer.ts";
export { createAuthorizer } from "./create-authorizer.ts";
export type {
  ApiKeyCredentials,
  AwsCredentials,
  BasicCredentials,
  BearerCredentials,
  Credentials,
  DigestCredentials,
  OAuth2Credentials,
  OAuth2Grant,
} from "./credentials.ts";
export { CredentialError } from "./errors.ts";
export type { LoginPrompt, LoginTools, RedirectListener } from "./login.ts";
export { readAuthorization, type VariableLookup } from "./read-authorization.ts";
export { readSecurityLogin, type SecurityLogin } from "./read-security.ts";
export { secretTexts } from "./secret-texts.ts";
export { createTokenStore, type Token, type TokenStore } from "./token-store.ts";
