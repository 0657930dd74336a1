import process from "node:process";
import {
  UnsendableRequestError,
  type WebSocketLike,
  type WebSocketRequest,
} from "../../lib/mod.ts";
import { createAgent, tlsOptionsOf } from "./connection.ts";
import { pairsOf } from "./message.ts";
import { proxyOf } from "./proxy.ts";

/** Opens a WebSocket with the package ws, by the same connections as requests; uses the proxies of the environment. */
export async function openWebSocket(
  url: string,
  { protocols, headers, connection = {}, onAnswer }: WebSocketRequest,
): Promise<WebSocketLike> {
  if (connection.http2 === "prior-knowledge") {
    throw new UnsendableRequestError(
      `Cannot open the WebSocket "${url}" with the connection option http2: WebSockets begin with HTTP/1.1; remove it`,
    );
  }
  const { WebSocket } = await import("ws");
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) values[name] = [...(values[name] ?? []), value];
  const { unixSocket, maxHeaderSize } = connection;
  const address = new URL(url.replace(/^ws/, "http"));
  const agent = createAgent({
    isSecure: address.protocol === "https:",
    proxy: unixSocket === undefined ? proxyOf(address, connection, process.env) : undefined,
    unixSocket,
    tls: tlsOptionsOf(connection),
  });
  const size = maxHeaderSize === undefined ? {} : { maxHeaderSize };
  const socket = new WebSocket(url, [...protocols], { headers: values, agent, ...size });
  socket.on("upgrade", ({ rawHeaders }) => onAnswer?.(pairsOf(rawHeaders)));
  // The types of ws differ for each event; the interface is that of the standard.
  return socket as unknown as WebSocketLike;
}
