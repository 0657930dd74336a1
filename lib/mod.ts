import { type Client, type ClientOptions, createClientWith } from "./client/mod.ts";
import { renderBundle, showPart, showTable, withHistoryView, withRowsView } from "./display/mod.ts";
import { markRevealed, SHOW_SECRETS } from "./secrets/mod.ts";

export type {
  Answer,
  AssertionDraft,
  AssertionField,
  AssertionLocation,
  AssertionResult,
  DurationPart,
  LimitTime,
} from "./assertions/mod.ts";
export {
  type AllOptions,
  type AssertOptions,
  type Client,
  type ClientOptions,
  type DownloadOptions,
  type ExtendOptions,
  type FileWriter,
  type ManyProgress,
  type ManyResult,
  type ManyResults,
  type OpenFileForWriting,
  type PageStrategy,
  type Pages,
  type PagesEnd,
  type PaginateOptions,
  PaginationError,
  type ResponseStream,
  type ResultRow,
  SchemaError,
  type SchemaIssue,
  type SchemaOption,
  type SchemaResult,
  type StandardSchema,
  type StreamOptions,
  type TransferClient,
} from "./client/mod.ts";
export {
  DEFAULT_LIMITS,
  type Displayable,
  type ErrorOptions,
  html,
  type Inspect,
  isExchange,
  type Limits,
  type Markup,
  type MimeBundle,
  type RenderOptions,
  renderBundle,
  renderBundleAsync,
  svg,
} from "./display/mod.ts";
export {
  AssertionError,
  type CodeLanguage,
  type CodeOptions,
  type ConnectionDetails,
  type DiscardedBody,
  type DisplayData,
  type Exchange,
  type ExchangeHop,
  type ExchangePart,
  type HeaderList,
  jupyterDisplay,
  type NoResponseCode,
  type NoResponseDetails,
  NoResponseError,
  type PendingRequest,
  type Redirect,
  type RequestToWrite,
  type ResponseHead,
  type RestlabTypes,
  type SavedBody,
  ScriptError,
  type SentRequest,
  type ShownView,
  type ShowOptions,
  type Sizes,
  type StatusClass,
  StatusError,
  type StreamBytes,
  type StreamEvent,
  type StreamItem,
  type StreamItems,
  type StreamKind,
  type StreamLine,
  type StreamText,
  statusClass,
  type TableFilter,
  type TableShape,
  type Timing,
  type TlsDetails,
  toCode,
  toCurl,
  toHttp,
  UnsendableRequestError,
  type Untyped,
  type Views,
} from "./exchange/mod.ts";
export {
  createRecorder,
  createReplay,
  type DocumentFrame,
  type EntryOptions,
  type GrowingFile,
  type HarBody,
  type HarContent,
  type HarCookie,
  type HarEntry,
  HarError,
  type HarMessage,
  type HarPair,
  type HarRequest,
  type HarResponse,
  type HarTimings,
  type OpenGrowingFile,
  type RecordedBody,
  type RecordedEntry,
  type RecordedMessage,
  type RecordedResponse,
  type Recorder,
  type RecorderOptions,
  type Recording,
  type Replay,
  type ReplayOptions,
  readHar,
  toHarEntries,
} from "./har/mod.ts";
export {
  type ApiKeyCredentials,
  type AwsCredentials,
  type BasicCredentials,
  type BearerCredentials,
  CredentialError,
  type Credentials,
  type DigestCredentials,
  type LoginPrompt,
  type LoginTools,
  type OAuth2Credentials,
  type OAuth2Grant,
  type RedirectListener,
} from "./http/auth/mod.ts";
export {
  type ArrivalHooks,
  type BodyProgress,
  type BodySource,
  type BodyStream,
  type Compression,
  type Connect,
  type ConnectionOptions,
  type Cookie,
  type Cookies,
  type DecidedKyOption,
  type DefaultHeaders,
  type Fetch,
  type Fields,
  type FieldValue,
  type FileAccess,
  type GraphqlInput,
  type HeadersInput,
  type HttpOptions,
  type KyOptions,
  type MultipartInput,
  type MultipartValue,
  type OutgoingOptions,
  type Rate,
  type ReachingOptions,
  type RenderTextOptions,
  type RequestChanges,
  type RequestInput,
  type RequestParts,
  type RequestSpec,
  type RetryOptions,
  type RetryState,
  type RunScript,
  type ScriptEnd,
  type ScriptRequest,
  type ScriptRun,
  type SendableBody,
  type SendingOptions,
  type SendOptions,
  type SkippedRequest,
  type StreamedBody,
  type TransportAccess,
  type TransportOptions,
  version,
  type WrittenText,
} from "./http/mod.ts";
export * from "./interpolate.ts";
export type { VerifyRule } from "./json/mod.ts";
export * from "./parse.ts";
export {
  CREDENTIAL_HEADERS,
  type Hidden,
  holdsSecret,
  isRevealed,
  type Masker,
  type Masking,
  type Material,
  maskValue,
  maskValue as maskDeep,
  type NameRule,
  type Provenance,
  type Revealed,
  reveal,
  SECRET_NAMES,
  type SecretRange,
  type Secrets,
  SHOW_SECRETS,
  type StreamMasker,
  type Stretch,
} from "./secrets/mod.ts";
export {
  createMock,
  type Matcher,
  type MatcherContext,
  type Mock,
  type MockAnswer,
  type MockCall,
  type MockResponse,
  type MockRoute,
  type RestlabMatchers,
  restlabMatchers,
  type Verdict as MatcherVerdict,
  type WantedStatus,
} from "./testing/mod.ts";
export {
  type CheckTextOptions,
  createSecretSource,
  EnvironmentError,
  type EnvironmentInfo,
  type NamedSecret,
  type Origin,
  PromptError,
  type Question,
  type Responses,
  type SavedVariables,
  type ScopedClient,
  type ScopeOptions,
  SecretError,
  type SecretFetcher,
  type SecretReference,
  type SecretRequest,
  type SecretSource,
  type SetVarOptions,
  type UseEnvOptions,
} from "./variables/mod.ts";
export type {
  OpenWebSocket,
  Refusal as WebSocketRefusal,
  SocketClose,
  SocketMessage,
  SocketOptions,
  SocketSession,
  WebSocketLike,
  WebSocketOptions,
  WebSocketRequest,
} from "./websocket/mod.ts";

/**
 * The library of restlab: a client whose requests are plain HTTP text with placeholders, and whose
 * responses display themselves.
 *
 * ```ts
 * import { createClient } from "restlab";
 *
 * const lab = createClient();
 * lab.setVar("user", { id: 7 });
 * lab.render("GET http://localhost/users/{{user.id}}").url; // "http://localhost/users/7"
 * ```
 *
 * @module
 */

/**
 * Creates a client with its own variables and history.
 *
 * @param options Timeouts, default headers, the `fetch` to use; see {@link ClientOptions}.
 * @throws {TypeError} An option is invalid.
 * @example
 * ```ts
 * const lab = createClient();
 * lab.setVar("name", "Ada");
 * lab.render("GET http://localhost/{{name}}").url; // "http://localhost/Ada"
 * ```
 */
export function createClient(options: ClientOptions = {}): Client {
  return createClientWith(
    options,
    (value, secrets) => renderBundle(value, { secrets: [secrets] }),
    (secrets) => ({
      views: {
        show: (exchange, part, { reveal = false } = {}) => {
          const view = showPart(exchange, part, { secrets: [secrets] });
          if (!reveal) return view;
          return markRevealed(showPart(exchange, part, { secrets: [SHOW_SECRETS] }), view);
        },
        table: (value, shape) => showTable(value, { ...shape, secrets: [secrets] }),
      },
      showRows: (value, rows, shape) => withRowsView(value, rows, shape, { secrets: [secrets] }),
      showHistory: (exchanges) => withHistoryView(exchanges, { secrets: [secrets] }),
    }),
  );
}

/** A default client, shared by everything that imports it. */
export const client: Client = /* @__PURE__ */ createClient();
