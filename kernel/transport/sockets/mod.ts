/**
 * Bound sockets over TCP and IPC: ROUTER, PUB and REP, their connections, queues and subscriptions.
 */

export { createCountingLog } from "./counting-log.ts";
export { bindPublisher } from "./publisher.ts";
export { bindReplier } from "./replier.ts";
export { bindRouter } from "./router.ts";
export type { BoundSocket, Publisher, RoutedMessage, Router, SocketOptions } from "./socket.ts";
export { createStrangers, type StrangerLimits } from "./strangers.ts";
