/**
 * Sends rendered requests with ky and returns exchanges. Redirects, cookies and credentials are middleware
 * around one fetch. It knows no variables, no history and no display.
 */

export type { Hop } from "./attempt.ts";
export {
  type AuthContext,
  applyRequestOptions,
  authorizeHop,
  createTokenSource,
  keepsCookies,
  type LoginTokens,
  resolveCredentials,
  type TokenSource,
} from "./authorization.ts";
export {
  addStoredCookies,
  type Cookie,
  type CookieJar,
  type Cookies,
  createCookieJar,
} from "./cookies.ts";
export {
  type Deadline,
  type Limiter,
  MAX_TIMER,
  nonNegative,
  type Rate,
  type Stop,
} from "./deadline.ts";
export {
  type DefaultHeaders,
  excludeHeaders,
  fillHeaders,
  type HeadersInput,
  headerReader,
  type RequestToSend,
  type RuntimeHeaders,
  toHeaderList,
  version,
} from "./headers.ts";
export { createKyDefaults, type DecidedKyOption, extendKyDefaults, type KyOptions } from "./ky.ts";
export type { MultipartInput, MultipartValue } from "./multipart.ts";
export { noResponse } from "./no-response.ts";
export type {
  Connect,
  ConnectionOptions,
  HttpOptions,
  OutgoingOptions,
  ReachingOptions,
  SendingOptions,
  SendOptions,
  TransportOptions,
} from "./options.ts";
export { CHAIN, type Chain, type ChainedOptions, isOwnOrigin } from "./origin-rule.ts";
export {
  type PreparedRequest,
  prepareRequest,
  type ResolvedRequest,
  type SendableBody,
  toByteString,
} from "./prepare.ts";
export {
  type ArrivalHooks,
  type BodyObserver,
  type BodyProgress,
  createBodyObserver,
  headOf,
  OWN_OBSERVER,
  type TransferProgress,
} from "./read-body.ts";
export { readConnection } from "./read-connection.ts";
export {
  type Fields,
  type FieldValue,
  type GraphqlInput,
  type RequestSpec,
  resolveSpec,
} from "./request-spec.ts";
export { type RenderTextOptions, resolveBody, withDefaults } from "./resolve.ts";
export type { RetryOptions } from "./retry.ts";
export type {
  RequestChanges,
  RunScript,
  ScriptEnd,
  ScriptRequest,
  ScriptRun,
  WrittenText,
} from "./script.ts";
export { createInFlight, createSender, type SenderParts } from "./sender.ts";
export {
  type BodySource,
  type Compression,
  type FileAccess,
  isCompression,
  type StreamedBody,
} from "./streamed-body.ts";
export {
  clientSettings,
  createTransportSelector,
  INSECURE_WARNING,
  requestSettings,
  type TransportAccess,
} from "./transport.ts";
