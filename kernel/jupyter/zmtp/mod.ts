/**
 * The bind side of ZeroMQ's wire protocol: ROUTER, PUB and REP over tcp and ipc with the NULL mechanism
 * (ZMTP 3.1, RFC 37), in a thread of its own. It carries frames of bytes, not Jupyter messages, and depends on
 * no other folder and no package.
 */

export { createCountingLog } from "./counting-log.ts";
export { serveTransport } from "./serve-transport.ts";
export { startTransport } from "./start-transport.ts";
export { type Actions, dispatch } from "./thread-messages.ts";
export type {
  CreateHooks,
  HookContext,
  SocketMessage,
  Transport,
  TransportHooks,
  TransportPlan,
  UntrustedPeerLimits,
} from "./transport.ts";
