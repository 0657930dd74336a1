/** WebSockets (RFC 6455): handshakes with cookies and credentials, sessions, and request texts with messages. */

export type { SocketClose, SocketMessage } from "./conversation.ts";
export type { SocketRequest, WebSocketOptions } from "./open.ts";
export { runMessages } from "./run-messages.ts";
export { createSocketSession, type SocketOptions, type SocketSession } from "./session.ts";
export type { OpenWebSocket, WebSocketLike, WebSocketRequest } from "./web-socket.ts";
