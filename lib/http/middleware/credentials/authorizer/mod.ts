/** What all kinds of credentials share: the authorizer interface, options, stored tokens, errors. */

export type {
  Authorization,
  Authorizer,
  CredentialContext,
  OutgoingRequest,
} from "./authorizer.ts";
export { bodyBytes } from "./body-bytes.ts";
export { checkStrings } from "./check-strings.ts";
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
export { createTokenStore, type Token, type TokenStore } from "./token-store.ts";
