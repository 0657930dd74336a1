/**
 * An exchange as data: the request as it was sent, and the response with its status class, headers,
 * sizes and timing; the history; the errors of a request without a response; the request as `.http`
 * text. It sends nothing.
 */

export {
  type Content,
  createContent,
  decodeText,
  fromBase64,
  holdSecret,
  join,
  LOOKED_AT,
  parseJson,
  parseMediaType,
  parseWrittenJson,
  toBase64,
  toBinary,
  toPlainNumbers,
  toStrictText,
} from "./body/mod.ts";
export {
  addAssertions,
  contentOf,
  createExchange,
  isReceived,
  isSuperseded,
  revealExchange,
  supersede,
  withoutMessageTimes,
} from "./create-exchange.ts";
export {
  AssertionError,
  messageOf,
  type NoResponseCode,
  type NoResponseDetails,
  NoResponseError,
  NotRecordedError,
  ScriptError,
  UnsendableRequestError,
} from "./errors.ts";
export {
  type DiscardedBody,
  type DisplayData,
  type Exchange,
  type ExchangeHop,
  type HeaderList,
  jupyterDisplay,
  type Redirect,
  type SentRequest,
  type Sizes,
  sentHeaders,
  type Timing,
} from "./exchange.ts";
export { createHistory, type History } from "./history.ts";
export { learnAnswer, learnRequest } from "./learn-secrets.ts";
export {
  type MaskedExchange,
  maskAssertion,
  maskExchange,
  maskHeaders,
} from "./masked-exchange.ts";
export { describeRequest, isWaitedFor, type PendingRequest } from "./pending-request.ts";
export type { ResponseHead } from "./response-head.ts";
export {
  type ConnectionDetails,
  detailsOf,
  isReplayed,
  markReplayed,
  type TlsDetails,
} from "./response-head.ts";
export { denoInspect, nodeInspect, type RowsShape, type Show, type ShowRows } from "./show.ts";
export { type StatusClass, statusClass } from "./status-class.ts";
export {
  type Channel,
  createChannel,
  createEnds,
  createSplitter,
  type Ends,
  inTurn,
  JSON_LINES,
  type Splitter,
  type StreamBytes,
  type StreamEvent,
  type StreamItem,
  type StreamItems,
  type StreamKind,
  type StreamLine,
  type StreamText,
  streamKind,
} from "./streaming/mod.ts";
export type {
  ExchangePart,
  ShownView,
  ShowOptions,
  TableFilter,
  TableShape,
  Views,
} from "./views.ts";
