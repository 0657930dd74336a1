/**
 * The bind side of ZeroMQ's wire protocol: ROUTER, PUB and REP over tcp and ipc with the NULL mechanism
 * (ZMTP 3.1, RFC 37). It handles frames of bytes, not Jupyter messages, and depends on no other
 * folder and no package. `startTransport` runs the sockets in a worker thread, `openTransport` in the
 * caller's; both return a `Transport`. `bindRouter`, `bindPublisher` and `bindReplier` bind single sockets.
 */

export {
  bindPublisher,
  bindReplier,
  bindRouter,
  createCountingLog,
  type Publisher,
  type RoutedMessage,
  type Router,
  type UntrustedPeerLimits,
} from "./sockets/mod.ts";
export {
  type Actions,
  type CreateHooks,
  dispatch,
  type HookContext,
  openTransport,
  type SocketMessage,
  serveTransport,
  startTransport,
  type Transport,
  type TransportHooks,
  type TransportPlan,
} from "./thread/mod.ts";
export { EndpointError } from "./zmtp/mod.ts";
