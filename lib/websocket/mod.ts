/** WebSockets (RFC 6455): handshakes with cookies and credentials, sessions, and request texts with messages. */

export type { SocketClose, SocketMessage } from "./conversation.ts";
export type {
  OpenWebSocket,
  Refusal,
  SocketRequest,
  WebSocketLike,
  WebSocketOptions,
  WebSocketRequest,
} from "./open.ts";
export { runMessages } from "./run-messages.ts";
export { createSocketSession, type SocketOptions, type SocketSession } from "./session.ts";
