import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { Problem, type Route } from "../http/mod.ts";

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
