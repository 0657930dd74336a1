import type { IncomingMessage } from "node:http";
import type { WebSocketLike, WebSocketRequest } from "../../lib/mod.ts";
import { createAgent } from "./connection.ts";
import { pairsOf, valuesByName } from "./message.ts";
import { permittedEnvironment, proxyOf } from "./proxy.ts";
import { ConnectionError, tlsOptionsOf } from "./tls-options.ts";

/** Opens a WebSocket with the package ws, by the same connections as requests; uses the proxies of the environment. */
export async function openWebSocket(
  url: string,
  { protocols, headers, connection = {}, onAnswer, onRefused }: WebSocketRequest,
): Promise<WebSocketLike> {
  if (connection.http2 === "prior-knowledge") {
    throw new ConnectionError(
      `Cannot open the WebSocket "${url}" with the connection option http2: WebSockets begin with HTTP/1.1; remove it`,
    );
  }
  const { WebSocket } = await import("ws");
  const { unixSocket, maxHeaderSize } = connection;
  const address = new URL(url.replace(/^ws/, "http"));
  const agent = createAgent({
    isSecure: address.protocol === "https:",
    proxy:
      unixSocket === undefined ? proxyOf(address, connection, permittedEnvironment()) : undefined,
    unixSocket,
    tls: tlsOptionsOf(connection),
  });
  const values = valuesByName(headers);
  const size = maxHeaderSize === undefined ? {} : { maxHeaderSize };
  const socket = new WebSocket(url, [...protocols], { headers: values, agent, ...size });
  socket.on("upgrade", ({ rawHeaders }) => onAnswer?.(pairsOf(rawHeaders)));
  socket.on("unexpected-response", (_request, answer) => {
    const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = answer;
    const read = readStart(answer).then((body) =>
      onRefused?.({ status, statusText, headers: pairsOf(rawHeaders), body }),
    );
    void read.finally(() => socket.terminate());
  });
  // The types of ws differ for each event; the interface is that of the standard.
  return socket as unknown as WebSocketLike;
}

/** Bytes of a refusal that are kept, and milliseconds to wait for them. */
const MAX_REFUSAL = 65_536;
const PATIENCE = 1000;

/** The beginning of a body, which may never end. */
async function readStart(answer: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => answer.destroy(), PATIENCE);
  try {
    for await (const piece of answer) {
      pieces.push(piece);
      size += piece.length;
      if (size >= MAX_REFUSAL) break;
    }
  } catch {
    // What has come is the body.
  }
  clearTimeout(timer);
  return Buffer.concat(pieces).subarray(0, MAX_REFUSAL);
}
