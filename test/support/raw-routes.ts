import type { Socket } from "node:net";

/** Answers that no well-behaved server gives, by the first part of the path. */
const ROUTES: ReadonlyMap<string, (socket: Socket) => void> = new Map([
  ["reset", (socket: Socket) => void socket.resetAndDestroy()],
  ["hang-up", (socket) => void socket.end()],
  ["reset-in-headers", (socket) => writeThenReset(socket, "HTTP/1.1 200 OK\r\nContent-")],
  [
    "reset-in-body",
    (socket) => writeThenReset(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"),
  ],
  [
    "end-in-body",
    (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"),
  ],
  [
    "end-in-chunks",
    (socket) =>
      void socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
  ],
  ["no-http", (socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n")],
  [
    "bad-header",
    (socket) => void socket.end("HTTP/1.1 200 OK\r\nbroken\r\nContent-Length: 2\r\n\r\nhi"),
  ],
  [
    "two-lengths",
    (socket) =>
      void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nhi"),
  ],
  [
    "not-gzip",
    (socket) =>
      void socket.end(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
      ),
  ],
  // Keeps the connection, and hangs up when it is used again.
  [
    "answer-once",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      socket.once("data", () => socket.destroy());
    },
  ],
  // No length at all: the end of the connection is the end of the body.
  ["until-close", (socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\nuntil the end")],
]);

/** The connection listener of the test server with broken answers. */
export function answerRaw(socket: Socket): void {
  socket.once("data", (head) => {
    const route = /^\S+ \/([^\s/?]*)/.exec(head.toString("latin1"))?.[1] ?? "";
    ROUTES.get(route)?.(socket);
  });
}

function writeThenReset(socket: Socket, text: string): void {
  socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));
}
