/**
 * One call over the network and what came back: variables, sending through ky (the only way out),
 * redirects hop by hop, bodies read with a cap, errors in words that are the same on every
 * runtime, and a bounded history. It depends on the request language below it; it does not know
 * how an exchange is shown (that function is handed in) and has no access to files.
 */

export type { ArrivalHooks, BodyProgress } from "./arrival/hooks.ts";
export type { Client } from "./client.ts";
export type { ClientOptions, ExtendOptions } from "./client-options.ts";
export type { Connect, ConnectionOptions } from "./connection.ts";
export { type Content, createContent } from "./content.ts";
export { createClientWith } from "./create-client.ts";
export { contentOf, isReceived } from "./create-exchange.ts";
export { EnvironmentError, PromptError } from "./environment-errors.ts";
export type { SavedVariables } from "./environment-save.ts";
export {
  type NoResponseCode,
  type NoResponseDetails,
  NoResponseError,
  UnsendableRequestError,
} from "./errors.ts";
export {
  type DisplayData,
  type Exchange,
  type HeaderList,
  jupyterDisplay,
  type Redirect,
  type SentRequest,
  type Sizes,
  type Timing,
} from "./exchange.ts";
export type { FileAccess } from "./files.ts";
export type { HeadersInput } from "./header-list.ts";
export { parseJson } from "./json.ts";
export type { DecidedKyOption, KyOptions } from "./ky-options.ts";
export type { Rate } from "./limiter.ts";
export type { AllOptions, ManyProgress } from "./many/all.ts";
export type {
  Pages,
  PagesEnd,
  PaginateOptions,
} from "./many/paginate.ts";
export { PaginationError } from "./many/pagination-error.ts";
export type { ManyResult, ManyResults, ResultRow } from "./many/results.ts";
export type { PageStrategy } from "./many/strategy.ts";
export { type MediaType, parseMediaType } from "./media-type.ts";
export type {
  HttpOptions,
  OutgoingOptions,
  ReachingOptions,
  SendingOptions,
} from "./outgoing-options.ts";
export type { PendingRequest } from "./pending-request.ts";
export type { SendableBody } from "./prepare.ts";
export type { TransportAccess } from "./reach.ts";
export type { GraphqlInput, RequestSpec } from "./request-spec.ts";
export type { RenderTextOptions } from "./resolve.ts";
export type { ResponseHead } from "./response-head.ts";
export type { Responses } from "./responses.ts";
export type { RetryOptions } from "./retry.ts";
export type {
  CheckTextOptions,
  EnvironmentInfo,
  ScopedClient,
  UseEnvOptions,
} from "./scopes-client.ts";
export type { Question, ScopeOptions } from "./scopes-options.ts";
export type { SendOptions } from "./send-options.ts";
export type { Show } from "./show.ts";
export type { SocketClose, SocketMessage } from "./sockets/conversation.ts";
export type { WebSocketOptions } from "./sockets/open.ts";
export type { SocketOptions, SocketSession } from "./sockets/session.ts";
export type { OpenWebSocket, WebSocketLike, WebSocketRequest } from "./sockets/web-socket.ts";
export { type StatusClass, statusClass } from "./status-class.ts";
export type { DownloadOptions, FileWriter, OpenFileForWriting } from "./streams/download.ts";
export type { ResponseStream, StreamOptions } from "./streams/stream.ts";
export type { TransferClient } from "./transfers.ts";
export type { TransportOptions } from "./transport-options.ts";
export type { Origin, SetVarOptions } from "./variables.ts";
export { version } from "./version.ts";
export type {
  ExchangePart,
  ShownView,
  ShowOptions,
  TableFilter,
  TableShape,
  Views,
} from "./views.ts";
