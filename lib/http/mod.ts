/**
 * Sends rendered requests with ky and returns exchanges: `send.ts` has a request on its way, `hops.ts` what is sent to
 * each URL with its cookies and credentials, `transport.ts` the one fetch. It knows no variables, no history and no
 * display.
 */

export {
  applyRequestOptions,
  getLoginToken,
  type LoginTokens,
  renewLoginToken,
  resolveCredentials,
} from "./authorization.ts";
export {
  type BodySource,
  type Compression,
  type FileAccess,
  isCompression,
  readSource,
  resolveBody,
  resolveUrl,
  type StreamedBody,
} from "./body-out.ts";
export type { BodyStream } from "./body-stream.ts";
export { readCookieFiles, writeCookieFile } from "./cookie-file.ts";
export {
  addStoredCookies,
  type Cookie,
  type CookieJar,
  type Cookies,
  createCookieJar,
} from "./cookies.ts";
export { noResponse } from "./failure.ts";
export type { Fields, FieldValue } from "./fields.ts";
export {
  type DefaultHeaders,
  excludeHeaders,
  fillHeaders,
  type HeadersInput,
  headerReader,
  toHeaderList,
  version,
  withDefaults,
} from "./headers.ts";
export { authorize } from "./hops.ts";
export {
  createInFlight,
  type Deadline,
  MAX_TIMER,
  nonNegative,
  type Rate,
  type Stop,
} from "./in-flight.ts";
export type { DecidedKyOption, KyOptions, RetryOptions, RetryState } from "./ky.ts";
export type { MultipartInput, MultipartValue } from "./multipart.ts";
export {
  type Connect,
  type ConnectionOptions,
  checkOptions,
  type Fetch,
  type HttpOptions,
  type OutgoingOptions,
  PARTS,
  type ReachingOptions,
  type RenderTextOptions,
  SEND_OPTIONS,
  type SendingOptions,
  type SendOptions,
  type SkippedRequest,
  settingsOf,
  type TransportOptions,
} from "./options.ts";
export { CHAIN, type Chain, type ChainedOptions, isOwnOrigin } from "./origin-rule.ts";
export {
  type Outgoing,
  type ResolvedRequest,
  type SendableBody,
  toByteString,
  toOutgoing,
  toSent,
} from "./outgoing.ts";
export { readConnection } from "./read-connection.ts";
export {
  type ArrivalHooks,
  type BodyObserver,
  type BodyProgress,
  createBodyObserver,
  headOf,
  OWN_OBSERVER,
  STOPPED,
  type TransferProgress,
} from "./receive-body.ts";
export { ReceivedBytes } from "./received-bytes.ts";
export {
  type GraphqlInput,
  hasParts,
  type RequestInput,
  type RequestParts,
  type RequestSpec,
  readInput,
  resolveSpec,
  withoutParts,
  withParts,
} from "./request-spec.ts";
export type {
  RequestChanges,
  RunScript,
  ScriptEnd,
  ScriptRequest,
  ScriptRun,
  WrittenText,
} from "./script.ts";
export {
  createHttpContext,
  type HttpContext,
  type HttpSession,
  OWN_JAR,
  sendRequest,
} from "./send.ts";
export { INSECURE_WARNING, type TransportAccess } from "./transport.ts";
