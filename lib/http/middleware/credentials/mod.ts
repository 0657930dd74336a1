/**
 * Ways to log in: Basic, Bearer, API keys, Digest, OAuth 2, AWS. Each is loaded when a request needs it.
 * They add headers to a request and hear its answer; they send nothing but requests for tokens.
 */

export { createAuthorizer } from "./create-authorizer.ts";
export { readAuthorization, type VariableLookup } from "./read-authorization.ts";
export { readSecurityLogin } from "./read-security.ts";
export { secretTexts } from "./secret-texts.ts";
