import { Buffer, isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Context } from "hono";
import { WebSocketServer } from "ws";
import { Problem, type Route, respond } from "./http.ts";

const SOCKET = "/socket";
const GOODBYE = "bye";

/** Returns the request to its sender, with its credentials: they are what a sender wants to check. */
export const echoRoutes: readonly Route[] = [
  {
    method: "ANY",
    path: "/echo",
    summary:
      "Shows the request as received, with any method: url, query, headers (credentials too), body",
    example: "/echo?name=Ada",
    handle: echo,
  },
  { method: "ANY", path: "/echo/*", summary: "The same, for any path below /echo", handle: echo },
  {
    method: "GET",
    path: SOCKET,
    summary: `A WebSocket that echoes every message, and closes after "${GOODBYE}"`,
    handle() {
      throw new Problem(426, `A WebSocket is required: open ws://…${SOCKET}`, {
        headers: { Connection: "Upgrade", Upgrade: "websocket" },
      });
    },
  },
];

async function echo({ req }: Context): Promise<Response> {
  const { pathname, searchParams } = new URL(req.url);
  const bytes = Buffer.from(await req.arrayBuffer());
  const text = isUtf8(bytes) ? bytes.toString() : undefined;
  const head = JSON.stringify({
    method: req.method,
    url: req.url,
    path: pathname,
    query: collect(searchParams),
    // Connection is about one connection (RFC 9110, 7.6.1), and not every runtime sends it.
    headers: collect([...req.raw.headers].filter(([name]) => name !== "connection")),
    size: bytes.length,
    body: text ?? null,
    base64: text === undefined ? bytes.toString("base64") : undefined,
  });
  // The text itself: parsing it would alter long numbers.
  const answer = text && isJson(text) ? `${head.slice(0, -1)},"json":${text}}` : head;
  return respond(200, { "Content-Type": "application/json" }, answer);
}

/** Names with their values; a repeated name has a list. */
function collect(entries: Iterable<[string, string]>): Record<string, string | string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of entries) lists.set(name, [...(lists.get(name) ?? []), value]);
  return Object.fromEntries(
    [...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? "") : list]),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Not JSON: the answer has it as text alone.
    return false;
  }
}

/** The part of Node's server that is used here; Deno's and Bun's `node:http` have it as well. */
interface UpgradeEmitter {
  on(
    event: "upgrade",
    listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  ): unknown;
}

/** Makes a server accept WebSockets at `/socket`. */
export function acceptEchoSockets(server: UpgradeEmitter): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, stream, head) => {
    stream.on("error", () => stream.destroy());
    // Not parsed as a URL: "//" is a valid target and an invalid URL.
    if (request.url?.split("?", 1)[0] !== SOCKET) {
      stream.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // Of invalid frames: ws closes the socket itself.
      socket.on("error", () => undefined);
      socket.on("message", (data, isBinary) => {
        socket.send(data, { binary: isBinary });
        if (!isBinary && String(data) === GOODBYE) socket.close(1000, GOODBYE);
      });
    });
  });
  return sockets;
}
