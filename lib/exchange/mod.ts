/**
 * An exchange as data: the request as it was sent, and the response with its status class, headers,
 * sizes and timing; the history; the errors of a request without a response; the request as `.http`
 * text. It sends nothing.
 */

export { dataFormat, decodeData, loadDecoders } from "./binary-data.ts";
export {
  fromBase64,
  fromBinary,
  holdSecret,
  toBase64,
  toBinary,
  toStrictText,
} from "./bytes.ts";
export { type Channel, createChannel, createEnds, type Ends, inTurn } from "./channel.ts";
export {
  createChunkDecoder,
  decodeText,
  isKnownCharset,
  isText,
  LOOKED_AT,
  type MediaType,
  parseMediaType,
} from "./charset.ts";
export { type Content, createContent, join } from "./content.ts";
export {
  addAssertions,
  beginningOf,
  contentOf,
  createExchange,
  isChecked,
  isReceived,
  isSuperseded,
  isTextual,
  noteTries,
  receivedJson,
  revealExchange,
  supersede,
  withJson,
  withoutMessageTimes,
} from "./create-exchange.ts";
export {
  AssertionError,
  callOf,
  type NoResponseCode,
  type NoResponseDetails,
  NoResponseError,
  noteCall,
  ScriptError,
  StatusError,
  UnansweredError,
  UnsendableRequestError,
} from "./errors.ts";
export {
  type DiscardedBody,
  type DisplayData,
  denoInspect,
  describeRequest,
  type Exchange,
  type ExchangeHop,
  type ExchangePart,
  type HeaderList,
  isWaitedFor,
  jupyterDisplay,
  nodeInspect,
  type PendingRequest,
  type Redirect,
  type RestlabTypes,
  type RowsShape,
  type SavedBody,
  type SentRequest,
  type Show,
  type ShownView,
  type ShowOptions,
  type ShowRows,
  type Sizes,
  sentHeaders,
  type TableFilter,
  type TableShape,
  type Timing,
  type Untyped,
  type Views,
} from "./exchange.ts";
export type { CodeLanguage } from "./export-request.ts";
export { createHistory, type History } from "./history.ts";
export { learnAnswer, learnRequest } from "./learn-secrets.ts";
export {
  describeResponse,
  type MaskedExchange,
  maskAssertion,
  maskExchange,
  maskHeaders,
  maskRequest,
} from "./masked-exchange.ts";
export { type CodeOptions, type RequestToWrite, toCode, toCurl, toHttp } from "./request-code.ts";
export {
  arrivedDetailsOf,
  type ConnectionDetails,
  detailsOf,
  fromByteString,
  isReplayed,
  markReplayed,
  type ResponseHead,
  receivedHeaders,
  remarksOfFields,
  type StatusClass,
  statusClass,
  type TlsDetails,
} from "./response-head.ts";
export {
  createSplitter,
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
} from "./splitter.ts";
