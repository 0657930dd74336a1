/**
 * The bind side of ZeroMQ's wire protocol: ROUTER, PUB and REP over tcp and ipc with the NULL mechanism
 * (ZMTP 3.0, RFC 23). It carries frames of bytes, not Jupyter messages, and depends on no other folder and no
 * package.
 */

export { UnverifiedPeers } from "./connection.ts";
export { bindPublisher, type Publisher } from "./publisher.ts";
export { bindReplier, bindRouter, type RoutedMessage, type Router } from "./router.ts";
export type { BoundSocket } from "./socket.ts";
