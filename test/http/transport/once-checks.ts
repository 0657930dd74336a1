import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Check, checks } from "../check.ts";
import { withRawServer } from "./raw-server.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Where a server closes the connection, at the moment that a request has arrived. */
const CLOSES: Readonly<Record<string, (socket: Socket) => void>> = {
  "before the answer": (socket) => socket.destroy(),
  "before the answer, properly": (socket) => void socket.end(),
  "before the answer, by a reset": (socket) => void socket.resetAndDestroy(),
  "in the status line": (socket) => void socket.end("HTTP/1.1 2"),
  "in the headers": (socket) => void socket.end("HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Le"),
  "after the headers": (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
  "in the body": (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"),
  "in a chunk": (socket) =>
    void socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe"),
  "between chunks": (socket) =>
    void socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n"),
};

/** Before the headers are complete, nobody knows whether the server has seen the request. */
const BEFORE_ANSWER = /^(?:before|in the status|in the headers)/;

const METHODS = ["GET", "PUT", "DELETE", "POST", "PATCH", "FROB"];
const IDEMPOTENT = new Set(["GET", "PUT", "DELETE"]);

/** How often a server receives a request whose connection it closes. */
export const onceChecks: readonly Check[] = checks({
  ...Object.fromEntries(
    Object.entries(CLOSES).flatMap(([where, close]) =>
      [false, true].map((isReused): [string, Check["run"]] => [
        `a request is sent once where the server closes ${isReused ? "a kept" : "a new"} connection ${where}`,
        async ({ lib, outside }) => {
          for (const method of METHODS) {
            const answer = (socket: Socket, piece: string): void => {
              if (/^\S+ \/a/.test(piece)) socket.write(OK);
              else close(socket);
            };
            await withRawServer(answer, async ({ url, heard, sockets }) => {
              const lab = lib.createClient(outside);
              if (isReused) {
                await lab.send({ url: url.href });
                await sleep(10);
              }
              const request = { method, url: new URL("/b", url).href, body: "hi" };
              const error = await lab.send(request).catch((thrown) => thrown);
              const isEarly = BEFORE_ANSWER.test(where);
              assert.equal(error.code, isEarly ? "reset" : "cut-short", `${method}: ${error}`);
              const sent = heard.filter((piece) => piece.startsWith(method) && / \/b /.test(piece));
              // What may be repeated is, once, on a new connection.
              const isAgain = isReused && isEarly && IDEMPOTENT.has(method);
              assert.equal(sent.length, isAgain ? 2 : 1, method);
              assert.equal(sockets.size, isAgain ? 2 : 1, method);
            });
          }
        },
      ]),
    ),
  ),
  async "a request on a kept connection that the server has closed is sent again, and says so"({
    lib,
    outside,
  }) {
    let count = 0;
    const answer = (socket: Socket): void => {
      count += 1;
      if (count === 2) socket.destroy();
      else socket.write(OK);
    };
    await withRawServer(answer, async ({ url, heard }) => {
      const lab = lib.createClient(outside);
      assert.deepEqual((await lab.send({ url: url.href })).notes, []);
      await sleep(10);
      const { text, notes } = await lab.send({ url: url.href });
      assert.deepEqual([text, heard.length], ["ok", 3]);
      assert.deepEqual(notes, [
        "The server had closed the connection of the request before; the request was sent again on another",
      ]);
    });
  },
});
