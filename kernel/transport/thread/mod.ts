/**
 * Transports: the sockets of a plan in this thread or in a worker thread, the messages between the threads,
 * and the limit of what is in flight.
 */

export { type Actions, dispatch } from "./dispatch.ts";
export { openTransport } from "./open-transport.ts";
export { serveTransport } from "./serve-transport.ts";
export { startTransport } from "./start-transport.ts";
export type {
  CreateHooks,
  HookContext,
  SocketMessage,
  Transport,
  TransportHooks,
  TransportPlan,
} from "./transport.ts";
