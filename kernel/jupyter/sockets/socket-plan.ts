import type { TransportPlan, UntrustedPeerLimits } from "../../transport/mod.ts";
import { type ConnectionInfo, toEndpoint } from "../messages/mod.ts";
import { SOCKETS } from "./worker-messages.ts";

/**
 * What peers may cost before their first correct signature. The first message of a front end fits,
 * even with a long cell; subscribers and heartbeats, which sign nothing, need much less.
 */
const UNTRUSTED: UntrustedPeerLimits = {
  messageSize: 4 * 1024 * 1024,
  totalSize: 16 * 1024 * 1024,
  peers: 256,
};
/** A heartbeat is one word. */
const HEARTBEAT = { maximumMessageSize: 4096, highWaterMark: { messages: 100, bytes: 65_536 } };

/** Plans the sockets of a kernel as a connection file asks for them. */
export function planSockets(connection: ConnectionInfo): Omit<TransportPlan, "data"> {
  const at = (port: number): string => toEndpoint(connection, port);
  return {
    sockets: {
      [SOCKETS.shell]: { type: "router", endpoint: at(connection.shell) },
      [SOCKETS.control]: { type: "router", endpoint: at(connection.control) },
      [SOCKETS.stdin]: { type: "router", endpoint: at(connection.stdin) },
      [SOCKETS.iopub]: { type: "publisher", endpoint: at(connection.iopub) },
      [SOCKETS.heartbeat]: { type: "replier", endpoint: at(connection.heartbeat), ...HEARTBEAT },
    },
    untrusted: UNTRUSTED,
  };
}
