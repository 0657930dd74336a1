/**
 * Sends rendered requests with ky and returns exchanges. Redirects, cookies and credentials are middleware
 * around one fetch. It knows no variables, no history and no display.
 */

export {
  type AuthContext,
  applyRequestOptions,
  keepsCookies,
  resolveCredentials,
} from "./authorization.ts";
export { createInFlight } from "./in-flight.ts";
export {
  type Cookie,
  type CookieJar,
  type Cookies,
  createCookieJar,
} from "./middleware/cookies/mod.ts";
export {
  type ApiKeyCredentials,
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
  type RedirectListener,
  type Token,
} from "./middleware/credentials/authorizer/mod.ts";
export { readSecurityLogin } from "./middleware/credentials/mod.ts";
export { addStoredCookies, authorizeHop, type LoginTokens } from "./middleware/mod.ts";
export { CHAIN, type Chain, type ChainedOptions, isOwnOrigin } from "./origin-rule.ts";
export type {
  HttpOptions,
  OutgoingOptions,
  ReachingOptions,
  SendingOptions,
} from "./outgoing-options.ts";
export {
  type BodySource,
  type Compression,
  type Fields,
  type FieldValue,
  isCompression,
  type MultipartInput,
  type MultipartValue,
  type StreamedBody,
} from "./request/bodies/mod.ts";
export {
  type DefaultHeaders,
  excludeHeaders,
  type FileAccess,
  fillHeaders,
  type HeadersInput,
  type Hop,
  headerReader,
  type PreparedRequest,
  prepareRequest,
  type RenderTextOptions,
  type ResolvedRequest,
  resolveBody,
  type SendableBody,
  toByteString,
  toHeaderList,
  version,
  withDefaults,
} from "./request/mod.ts";
export type { GraphqlInput, RequestSpec } from "./request-spec.ts";
export { resolveSpec } from "./resolve-spec.ts";
export {
  type ArrivalHooks,
  type BodyObserver,
  type BodyProgress,
  createBodyObserver,
  headOf,
  noResponse,
  OWN_OBSERVER,
  type TransferProgress,
} from "./response/mod.ts";
export type {
  RequestChanges,
  RunScript,
  ScriptEnd,
  ScriptRequest,
  ScriptRun,
  WrittenText,
} from "./run-script.ts";
export type { SendOptions } from "./send-options.ts";
export { createSender, type SenderParts } from "./sender.ts";
export { createTokenSource, type TokenSource } from "./token-source.ts";
export {
  type Connect,
  type ConnectionOptions,
  clientSettings,
  createKyDefaults,
  createTransportSelector,
  type Deadline,
  type DecidedKyOption,
  extendKyDefaults,
  INSECURE_WARNING,
  type KyOptions,
  type Limiter,
  MAX_TIMER,
  nonNegative,
  type Rate,
  type RequestToSend,
  type RetryOptions,
  type RuntimeHeaders,
  readConnection,
  requestSettings,
  type Stop,
  type TransportAccess,
  type TransportOptions,
} from "./transport/mod.ts";
