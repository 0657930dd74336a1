/**
 * Jupyter's messages: their fields as the protocol spells them, signed JSON on the wire, cursors, the
 * connection file.
 */

export {
  ConnectionFileError,
  type ConnectionInfo,
  parseConnectionFile,
  toEndpoint,
} from "./connection-file.ts";
export { toCodePoints } from "./cursor.ts";
export { toErrorContent, toErrorReply } from "./error-content.ts";
export { cursorOf, parseExecuteRequest, textOf } from "./fields.ts";
export { createMessageFactory, type Message, type MessageFactory } from "./message.ts";
export {
  type DataContent,
  type Dict,
  type ErrorContent,
  type ExecuteReply,
  type ExecuteRequest,
  type Header,
  type HistoryEntry,
  type KernelInfo,
  PROTOCOL_VERSION,
  type Publications,
  type Replies,
  type UserExpression,
} from "./protocol.ts";
export {
  createSigner,
  parseMessage,
  type RenderedMessage,
  renderMessage,
  type Signer,
  toFrames,
} from "./wire.ts";
