/**
 * What all ways to log in have in common: the contract of an authorizer, its options, stored tokens,
 * errors. It imports nothing.
 */

export type { Authorization, Authorizer, CredentialContext, Outgoing } from "./authorizer.ts";
export { bodyBytes } from "./body-bytes.ts";
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
export { checkTexts } from "./needed.ts";
export { createTokenStore, type Token, type TokenStore } from "./token-store.ts";
