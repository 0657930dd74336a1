/**
 * Credentials: Basic, Bearer, API keys, Digest (RFC 7616), OAuth 2 and OpenID Connect, AWS signatures. Each
 * scheme is loaded when a request first needs it. It sends nothing by itself: the fetch for tokens is passed in.
 */

export {
  type ApiKeyCredentials,
  type Authorization,
  type Authorizer,
  type AwsCredentials,
  type BasicCredentials,
  type BearerCredentials,
  CredentialError,
  type Credentials,
  createTokenStore,
  type DigestCredentials,
  type LoginPrompt,
  type LoginTools,
  type OAuth2Credentials,
  type OAuth2Grant,
  type OutgoingRequest,
  type RedirectListener,
  type Token,
  type TokenStore,
} from "./authorizer.ts";
export { createAuthorizer } from "./create-authorizer.ts";
export { pause } from "./pause.ts";
export {
  readAuthorization,
  secretTexts,
  type VariableLookup,
  type WrittenValue,
} from "./read-authorization.ts";
export { readSecurityLogin } from "./read-security.ts";
