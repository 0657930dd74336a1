/**
 * The sockets in a worker thread, and their proxy on the main thread: messages between them and how
 * frames are packed.
 */

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
