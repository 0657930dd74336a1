import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Context } from "hono";
import { WebSocketServer } from "ws";
import { type Bytes, Problem, type Route, readBody, respond } from "./http.ts";

const SUMMARY =
  "Shows the request as received, with any method: url, query, headers (credentials too), body";

/** Returns the request to its sender, with its credentials: they are what a sender wants to check. */
export const echoRoutes: readonly Route[] = [
  { method: "ANY", path: "/echo", summary: SUMMARY, example: "/echo?name=Ada", handle: echo },
  { method: "ANY", path: "/echo/*", summary: "The same, for any path below /echo", handle: echo },
];

async function echo(context: Context): Promise<Response> {
  const { method, raw, url } = context.req;
  const { pathname, searchParams } = new URL(url);
  const bytes = await readBody(context);
  const text = decode(bytes);
  const head = JSON.stringify({
    method,
    url,
    path: pathname,
    query: collect(searchParams),
    // Connection is about one connection (RFC 9110, 7.6.1), and not every runtime sends it.
    headers: collect([...raw.headers].filter(([name]) => name !== "connection")),
    size: bytes.length,
    body: text ?? null,
    ...(text === undefined && { base64: Buffer.from(bytes).toString("base64") }),
  });
  // The text itself: parsing it would alter long numbers.
  const answer = text && isJson(text) ? `${head.slice(0, -1)},"json":${text}}` : head;
  return respond(200, { "Content-Type": "application/json" }, answer);
}

/** Names with their values; a repeated name has a list. */
function collect(entries: Iterable<[string, string]>): Record<string, string | string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries(
    [...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? "") : list]),
  );
}

function decode(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not text: the answer has it as base64.
    return undefined;
  }
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

const PATH = "/socket";
const LONGEST_MESSAGE = 1024 * 1024;
const GOODBYE = "bye";

/** Plain HTTP requests to the path of the WebSocket. */
export const socketRoutes: readonly Route[] = [
  {
    method: "GET",
    path: PATH,
    summary: `A WebSocket that echoes every message, and closes after "${GOODBYE}"`,
    handle() {
      throw new Problem(426, `A WebSocket is required: open ws://…${PATH}`, {
        headers: { Connection: "Upgrade", Upgrade: "websocket" },
      });
    },
  },
];

/** The part of Node's server that is used here; Deno's and Bun's `node:http` have it as well. */
interface UpgradeEmitter {
  on(
    event: "upgrade",
    listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  ): unknown;
}

export interface EchoSockets {
  close(): void;
}

/** Makes a server accept WebSockets at `/socket`. */
export function acceptEchoSockets(server: UpgradeEmitter): EchoSockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_MESSAGE });
  server.on("upgrade", (request, stream, head) => {
    stream.on("error", () => stream.destroy());
    // Not parsed as a URL: "//" is a valid target and an invalid URL.
    if (request.url?.split("?", 1)[0] !== PATH) {
      stream.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // Invalid frames and long messages: ws closes the socket itself.
      socket.on("error", () => undefined);
      socket.on("message", (data, isBinary) => {
        socket.send(data, { binary: isBinary });
        if (!isBinary && String(data) === GOODBYE) socket.close(1000, GOODBYE);
      });
    });
  });
  return {
    close() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}
