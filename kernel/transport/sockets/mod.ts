/**
 * Bound sockets over TCP and IPC: ROUTER, PUB and REP, their connections, queues and subscriptions.
 */

export { createCountingLog } from "./counting-log.ts";
export { bindPublisher } from "./publisher.ts";
export { bindReplier, bindRouter } from "./router.ts";
export type { BoundSocket, Publisher, RoutedMessage, Router, SocketOptions } from "./socket.ts";
export { type UntrustedPeerLimits, UntrustedPeers } from "./untrusted-peers.ts";
