import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { type Check, checks } from "../check.ts";
import { say, withRawServer } from "./raw-server.ts";

const BOTH = "The server has sent Content-Length and Transfer-Encoding: the second one counts";
const CHUNKS = "2\r\nok\r\n0\r\n\r\n";

/** Heads that are not as RFC 9112 wants them, and that curl and browsers read. */
const TOLERATED: Readonly<Record<string, [message: string, warning?: string]>> = {
  "lines that end in LF": ["HTTP/1.1 200 OK\nX-A: 1\nContent-Length: 2\n\nok"],
  "one line that ends in LF": ["HTTP/1.1 200 OK\r\nX-A: 1\nContent-Length: 2\r\n\r\nok"],
  "a folded line": ["HTTP/1.1 200 OK\r\nX-A:\r\n 1\r\nContent-Length: 2\r\n\r\nok"],
  "no reason phrase": ["HTTP/1.1 200\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok"],
  "an empty line before it": ["\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok"],
  "chunks beside a length": [
    `HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
    BOTH,
  ],
  "a length beside chunks": [
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\nContent-Length: 1\r\n\r\n${CHUNKS}`,
    BOTH,
  ],
  "many headers": [
    `HTTP/1.1 200 OK\r\n${"X-B: 2\r\n".repeat(300)}X-A: 1\r\nContent-Length: 2\r\n\r\nok`,
  ],
};

/** Heads that no one can read, and why. */
const REFUSED: Readonly<Record<string, [message: string, reason: RegExp]>> = {
  "a list of lengths": [
    "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
    /^the response is not valid HTTP \(Invalid character in Content-Length\)$/,
  ],
  "two lengths": [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
    /^the response has several headers Content-Length \(/,
  ],
  "a negative length": ["HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", /Content-Length\)$/],
  "a status of four digits": ["HTTP/1.1 1000 OK\r\n\r\n", /\(Invalid response status\)$/],
  "no name": ["HTTP/1.1 200 OK\r\n: x\r\n\r\n", /header .* malformed \(Invalid header token\)$/],
  "NUL in a value": ["HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", /malformed \(NUL in a header value\)$/],
  "no HTTP": ["ok", /^the response is not valid HTTP \(Expected HTTP\//],
  "a long header": [
    `HTTP/1.1 200 OK\r\nX: ${"y".repeat(20_000)}\r\n\r\n`,
    /^the headers of the response are too large/,
  ],
};

/** What is read of a head, and why one cannot be read. */
export const headChecks: readonly Check[] = checks({
  ...Object.fromEntries(
    Object.entries(TOLERATED).map(([name, [message, warning]]): [string, Check["run"]] => [
      `a head with ${name} is read`,
      async ({ lib, outside }) => {
        await withRawServer(say(message), async ({ url, sockets }) => {
          const lab = lib.createClient(outside);
          for (let n = 0; n < 2; n++) {
            const exchange = await lab.send({ url: url.href });
            assert.deepEqual([exchange.status, exchange.text], [200, "ok"]);
            assert.equal(exchange.headers.get("x-a"), "1");
            assert.deepEqual(exchange.warnings, warning === undefined ? [] : [warning]);
          }
          // Where a body ends that is framed twice is a guess: its connection is not used again.
          assert.equal(sockets.size, warning === undefined ? 1 : 2);
        });
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(REFUSED).map(([name, [message, reason]]): [string, Check["run"]] => [
      `the error of a head with ${name} says so`,
      async ({ lib, outside }) => {
        const answer = (socket: Socket): void => void socket.end(message, "latin1");
        await withRawServer(answer, async ({ url }) => {
          const error = await lib
            .createClient(outside)
            .send({ url: url.href })
            .catch((thrown) => thrown);
          assert.equal(error.code, "protocol", error.message);
          assert.match(error.reason, reason);
        });
      },
    ]),
  ),
  async "a chunk without a size is the reason, beside what has come"({ lib, outside }) {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    const answer = (socket: Socket): void => void socket.end(`${head}2\r\nok\r\nzz\r\n`);
    await withRawServer(answer, async ({ url }) => {
      const error = await lib
        .createClient(outside)
        .send({ url: url.href })
        .catch((thrown) => thrown);
      assert.equal(error.code, "cut-short");
      assert.match(error.reason, /\(Invalid character in chunk size\) after 2 bytes of the body$/);
      assert.deepEqual([error.partial.status, error.partial.text], [200, "ok"]);
    });
  },
});
