/**
 * WebSockets: the handshake with the credentials of a client, the conversation within limits, and request
 * texts that hold messages.
 */

export type { SocketClose, SocketMessage } from "./conversation.ts";
export type { SocketRequest, WebSocketOptions } from "./open.ts";
export { runMessages } from "./run-messages.ts";
export { createSocketSession, type SocketOptions, type SocketSession } from "./session.ts";
export type { OpenWebSocket, WebSocketLike, WebSocketRequest } from "./web-socket.ts";
