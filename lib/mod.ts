/**
 * restlab, the library: a client whose requests are plain HTTP text with placeholders, and whose
 * answers show themselves.
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

import { type Client, type ClientOptions, createClientWith } from "./client/mod.ts";
import { renderBundle, showPart, showTable } from "./display/mod.ts";
import { markRevealed, SHOW_SECRETS } from "./secrets/mod.ts";

/**
 * Creates a client with variables and a history of its own.
 *
 * @param options Time limits, default headers, what `fetch` to use; see {@link ClientOptions}.
 * @throws {TypeError} An option is not what it should be.
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
      show: (exchange, part, { reveal = false } = {}) => {
        const view = showPart(exchange, part, { secrets: [secrets] });
        if (!reveal) return view;
        return markRevealed(showPart(exchange, part, { secrets: [SHOW_SECRETS] }), view);
      },
      table: (value, shape) => showTable(value, { ...shape, secrets: [secrets] }),
    }),
  );
}

/** A client to begin with, shared by everything that imports it. */
export const client: Client = createClient();

export type {
  BodySource,
  Compression,
  Fields,
  FieldValue,
  MultipartInput,
  MultipartValue,
  StreamedBody,
} from "./bodies/mod.ts";
export {
  type AllOptions,
  type ArrivalHooks,
  type BodyProgress,
  type CheckTextOptions,
  type Client,
  type ClientOptions,
  type Connect,
  type ConnectionOptions,
  type DecidedKyOption,
  type DisplayData,
  type DownloadOptions,
  EnvironmentError,
  type EnvironmentInfo,
  type Exchange,
  type ExchangePart,
  type ExtendOptions,
  type FileAccess,
  type FileWriter,
  type GraphqlInput,
  type HeaderList,
  type HeadersInput,
  type HttpOptions,
  jupyterDisplay,
  type KyOptions,
  type ManyProgress,
  type ManyResult,
  type ManyResults,
  type NoResponseCode,
  type NoResponseDetails,
  NoResponseError,
  type OpenFileForWriting,
  type OpenWebSocket,
  type Origin,
  type OutgoingOptions,
  type PageStrategy,
  type Pages,
  type PagesEnd,
  type PaginateOptions,
  PaginationError,
  type PendingRequest,
  PromptError,
  type Question,
  type Rate,
  type ReachingOptions,
  type Redirect,
  type RenderTextOptions,
  type RequestSpec,
  type ResponseHead,
  type ResponseStream,
  type Responses,
  type ResultRow,
  type RetryOptions,
  type SavedVariables,
  type ScopedClient,
  type ScopeOptions,
  type SendableBody,
  type SendingOptions,
  type SendOptions,
  type SentRequest,
  type SetVarOptions,
  type ShownView,
  type ShowOptions,
  type Sizes,
  type SocketClose,
  type SocketMessage,
  type SocketOptions,
  type SocketSession,
  type StatusClass,
  type StreamOptions,
  statusClass,
  type TableFilter,
  type TableShape,
  type Timing,
  type TransferClient,
  type TransportAccess,
  type TransportOptions,
  UnsendableRequestError,
  type UseEnvOptions,
  type Views,
  version,
  type WebSocketLike,
  type WebSocketOptions,
  type WebSocketRequest,
} from "./client/mod.ts";
export type { Cookie, Cookies } from "./cookies/mod.ts";
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
} from "./credentials/mod.ts";
export {
  DEFAULT_LIMITS,
  type ErrorOptions,
  type Inspect,
  isExchange,
  type Limits,
  type MarkupNode,
  type MarkupParser,
  type MarkupStretch,
  type MimeBundle,
  type RenderOptions,
  renderBundle,
  renderBundleAsync,
} from "./display/mod.ts";
export {
  type Explanation,
  type Fault,
  type Faulty,
  type Generated,
  type GeneratedPlaceholder,
  interpolate,
  type NumberText,
  type Part,
  type PathPlaceholder,
  type Place,
  type Placeholder,
  renderJson,
  type Scope,
  type Span,
  type Template,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
  type Value,
  type Variables,
} from "./interpolation/mod.ts";
export {
  type Annotation,
  type BodyDraft,
  type BodyFile,
  type BodyMixture,
  type CheckCode,
  type CheckFault,
  type CheckOptions,
  checkText,
  type HeaderDraft,
  InvalidHeaderError,
  type MessageStep,
  parseRequests,
  type RenderedRequest,
  RequestCheckError,
  type RequestDraft,
  RequestSyntaxError,
  type SaveDraft,
  startsAsRequest,
} from "./request/mod.ts";
export {
  CREDENTIAL_HEADERS,
  type Hidden,
  isRevealed,
  maskDeep,
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
export type {
  StreamBytes,
  StreamEvent,
  StreamItem,
  StreamItems,
  StreamKind,
  StreamLine,
  StreamText,
} from "./streaming/mod.ts";
