/** Credentials: Basic, Bearer, API keys, Digest, OAuth 2 and AWS. Each module is loaded when it is first needed. */

export { createAuthorizer } from "./create-authorizer.ts";
export { readAuthorization, type VariableLookup } from "./read-authorization.ts";
export { readSecurityLogin } from "./read-security.ts";
export { secretTexts } from "./secret-texts.ts";
