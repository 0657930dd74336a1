/**
 * ZeroMQ's wire protocol, bind side: ROUTER, PUB and REP over tcp and ipc with the NULL mechanism
 * (ZMTP 3.1, RFC 37), in a worker thread or in the caller's own. It knows frames of bytes and
 * nothing of Jupyter's messages, and it depends on no other folder and on no package.
 * `startTransport` runs the sockets in a worker, `openTransport` runs them here; both give a
 * `Transport`. The single sockets (`bindRouter`, `bindPublisher`, `bindReplier`) stand alone.
 */
export { createCountingLog } from "./counting-log.ts";
export { EndpointError, ProtocolError } from "./errors.ts";
export { openTransport } from "./open-transport.ts";
export { bindPublisher, type PublisherOptions } from "./publisher.ts";
export { bindReplier, type ReplierOptions } from "./replier.ts";
export { bindRouter, type RouterOptions } from "./router.ts";
export { serveTransport } from "./serve-transport.ts";
export type {
  BoundSocket,
  HighWaterMark,
  Publisher,
  Replier,
  RoutedMessage,
  Router,
  SocketOptions,
} from "./socket.ts";
export { startTransport } from "./start-transport.ts";
export type { StrangerLimits } from "./strangers.ts";
export type {
  CreateHooks,
  HookContext,
  SocketMessage,
  SocketPlan,
  Transport,
  TransportEvents,
  TransportHooks,
  TransportPlan,
  TransportSender,
} from "./transport.ts";
