/**
 * ZeroMQ's wire protocol, bind side: ROUTER, PUB and REP over tcp and ipc with the NULL mechanism
 * (ZMTP 3.1, RFC 37), in a worker thread or in the caller's own. It knows frames of bytes and
 * nothing of Jupyter's messages, and it depends on no other folder and on no package.
 * `startTransport` runs the sockets in a worker, `openTransport` runs them here; both give a
 * `Transport`. The single sockets (`bindRouter`, `bindPublisher`, `bindReplier`) stand alone.
 */

export {
  bindPublisher,
  bindReplier,
  bindRouter,
  createCountingLog,
  type Publisher,
  type RoutedMessage,
  type Router,
  type StrangerLimits,
} from "./sockets/mod.ts";
export {
  type CreateHooks,
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
