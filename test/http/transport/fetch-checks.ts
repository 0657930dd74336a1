import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { createConnect } from "../../../kernel/platform/mod.ts";
import { type Check, checks } from "../check.ts";
import { say, until, withRawServer } from "./raw-server.ts";

const fetchByNode = createConnect({})();

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

function send(url: URL, init: RequestInit = {}): Promise<Response> {
  return fetchByNode(url.href, { redirect: "manual", ...init });
}

/** A body of so many pieces, and whether somebody still reads it. */
function uploadOf(pieces: Iterable<string>): {
  readonly init: RequestInit;
  readonly state: { isCancelled: boolean };
} {
  const state = { isCancelled: false };
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const step = iterator.next();
      if (step.done) controller.close();
      else controller.enqueue(new TextEncoder().encode(step.value));
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  return { init: { method: "POST", body, duplex: "half" } as RequestInit, state };
}

function* endless(): Generator<string> {
  for (;;) yield "x".repeat(65_536);
}

/** Requests, and what the server receives: the target, all header lines but Host, and the body. */
const SENT: Readonly<Record<string, readonly [RequestInit, readonly string[], string]>> = {
  "a GET": [{}, ["Connection: keep-alive"], ""],
  "headers as they are written, in their order": [
    {
      headers: [
        ["x-B", "2"],
        ["X-a", "caf\xe9"],
        ["accept", "text/plain"],
      ],
    },
    ["x-B: 2", "X-a: caf\xe9", "accept: text/plain", "Connection: keep-alive"],
    "",
  ],
  "repeated headers, each on its line": [
    {
      headers: [
        ["x-B", "1"],
        ["Cookie", "a=1"],
        ["X-b", "2"],
        ["Cookie", "b=2"],
        ["__proto__", "c"],
        ["x-B", "3"],
      ],
    },
    [
      "x-B: 1",
      "Cookie: a=1",
      "X-b: 2",
      "Cookie: b=2",
      "__proto__: c",
      "x-B: 3",
      "Connection: keep-alive",
    ],
    "",
  ],
  "a POST without a body": [
    { method: "POST" },
    ["Connection: keep-alive", "Content-Length: 0"],
    "",
  ],
  "a DELETE without a body": [{ method: "DELETE" }, ["Connection: keep-alive"], ""],
  "text, measured in bytes": [
    { method: "POST", body: "ü", headers: [["X-a", "caf\xe9"]] },
    [
      "X-a: caf\xe9",
      "content-type: text/plain;charset=UTF-8",
      "Connection: keep-alive",
      "Content-Length: 2",
    ],
    "\xc3\xbc",
  ],
  "a GET with a body": [
    { body: new Uint8Array([104, 105]) },
    ["Connection: keep-alive", "Content-Length: 2"],
    "hi",
  ],
  "bytes, with a custom method": [
    { method: "QUERY", body: new Uint8Array([104, 105]) },
    ["Connection: keep-alive", "Content-Length: 2"],
    "hi",
  ],
  "a stream of known length": [
    { ...uploadOf(["a", "bc"]).init, method: "PUT", headers: [["content-length", "3"]] },
    ["content-length: 3", "Connection: keep-alive"],
    "abc",
  ],
  "a stream of unknown length, by a method that seldom has a body": [
    { ...uploadOf(["a", "bc"]).init, method: "DELETE" },
    ["Connection: keep-alive", "Transfer-Encoding: chunked"],
    "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
  ],
};

const sentChecks = Object.fromEntries(
  Object.entries(SENT).map(([name, [more, lines, body]]): [string, Check["run"]] => [
    `on the wire: ${name}`,
    async () => {
      let text = "";
      const answer: Parameters<typeof withRawServer>[0] = (socket, piece) => {
        text += piece;
        const [head = "", ...rest] = text.split("\r\n\r\n");
        if (head !== text && rest.join("\r\n\r\n").length >= body.length) socket.write(OK);
      };
      await withRawServer(answer, async ({ url }) => {
        assert.equal(await (await send(url, more)).text(), "ok");
        const [first, host, ...others] = text.split("\r\n");
        assert.equal(first, `${more.method ?? "GET"} /a?b=1 HTTP/1.1`);
        assert.equal(host, `Host: ${url.host}`);
        assert.equal(others.join("\r\n"), `${lines.join("\r\n")}\r\n\r\n${body}`);
      });
    },
  ]),
);

/** Compressed bodies of "hello". */
const PACKED: readonly (readonly [name: string, encoding: string, bytes: Buffer])[] = [
  ["gzip", "gzip", gzipSync("hello")],
  ["gzip of several members", "gzip", Buffer.concat([gzipSync("hel"), gzipSync("lo")])],
  ["its older name, in capitals", "X-GZIP", gzipSync("hello")],
  ["deflate", "deflate", deflateSync("hello")],
  ["deflate without its frame", "deflate", deflateRawSync("hello")],
  ["br", "br", brotliCompressSync("hello")],
  ["deflate, with a line end behind it", "deflate", withLineEnd(deflateSync("hello"))],
  ["raw deflate, with a line end behind it", "deflate", withLineEnd(deflateRawSync("hello"))],
  ["br, with a line end behind it", "br", withLineEnd(brotliCompressSync("hello"))],
  ["one on top of the other", "deflate, gzip", gzipSync(deflateSync("hello"))],
  ["nothing", "identity", Buffer.from("hello")],
  ["a coding that nobody knows", "gzip, rot13", Buffer.from("hello")],
  ["a body of no bytes", "gzip", Buffer.alloc(0)],
  ["no bytes of deflate", "deflate", Buffer.alloc(0)],
];

function withLineEnd(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.from("\r\n")]);
}

const packedChecks = Object.fromEntries(
  PACKED.map(([name, encoding, bytes]): [string, Check["run"]] => [
    `compressed by ${name}`,
    async () => {
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
      await withRawServer(say(Buffer.concat([Buffer.from(head), bytes])), async ({ url }) => {
        const text = await (await send(url)).text();
        assert.equal(text, bytes.length === 0 ? "" : "hello");
      });
    },
  ]),
);

/** The fetch of the platform, on the wire. */
export const fetchChecks: readonly Check[] = checks({
  ...sentChecks,
  async "on the wire: an IPv6 address"() {
    await withRawServer(
      say(OK),
      async ({ url, heard }) => {
        assert.equal(await (await send(url)).text(), "ok");
        assert.ok(heard[0]?.includes(`\r\nHost: [::1]:${url.port}\r\n`));
      },
      "::1",
    );
  },
  async "on the wire: a final question mark stays, and a fragment is not sent"() {
    await withRawServer(say(OK), async ({ url, heard }) => {
      await (await send(new URL("/x?#top", url))).text();
      await (await send(new URL("/x#top", url))).text();
      assert.deepEqual(
        heard.map((it) => it.split("\r\n")[0]),
        ["GET /x? HTTP/1.1", "GET /x HTTP/1.1"],
      );
    });
  },
  async "on the wire: another Host, in its place"() {
    await withRawServer(say(OK), async ({ url, heard }) => {
      await (
        await send(url, {
          headers: [
            ["X-a", "1"],
            ["HOST", "other.test"],
          ],
        })
      ).text();
      assert.deepEqual(heard[0]?.split("\r\n").slice(1, 3), ["X-a: 1", "HOST: other.test"]);
      assert.equal(heard[0]?.match(/host:/gi)?.length, 1);
    });
  },
  async "the headers of an answer, including repeated ones and text that is not ASCII"() {
    const answer =
      "HTTP/1.1 599 Sö So\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-A: 1\r\nx-a: \xe9\r\nContent-Length: 0\r\n\r\n";
    await withRawServer(say(Buffer.from(answer, "latin1")), async ({ url }) => {
      const { status, statusText, headers } = await send(url);
      assert.deepEqual([status, statusText], [599, "Sö So"]);
      assert.deepEqual(headers.getSetCookie(), ["a=1", "b=2"]);
      assert.equal(headers.get("x-a"), "1, \xe9");
    });
  },
  async "early hints are no answer"() {
    const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n";
    await withRawServer(say(hints + OK), async ({ url }) => {
      const answer = await send(url);
      assert.deepEqual([answer.status, await answer.text()], [200, "ok"]);
    });
  },
  async "answers without a body: to a HEAD, and a 304"() {
    for (const method of ["HEAD", "GET"]) {
      const status = method === "GET" ? "304 Not Modified" : "200 OK";
      const answer = say(`HTTP/1.1 ${status}\r\nContent-Length: 5\r\n\r\n`);
      await withRawServer(answer, async ({ url, heard }) => {
        for (const _time of [1, 2]) {
          assert.equal((await send(url, { method })).body, null);
          await sleep(20);
        }
        assert.equal(heard.length, 2);
      });
    }
  },
  ...packedChecks,
  async "a body that is not compressed as it claims is a failure"() {
    for (const [encoding, message] of [
      ["gzip", /incorrect header check/],
      // Deno does not say more.
      ["deflate", /invalid|incorrect|unexpected end/],
      ["gzip, gzip, gzip, gzip, gzip, gzip", /too many codings/],
    ] as const) {
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: 5\r\n\r\n`;
      const answer = say(Buffer.from(`${head}\xff\xff\xff\xff\xff`, "latin1"));
      await withRawServer(answer, async ({ url }) => {
        await assert.rejects(async () => await (await send(url)).text(), message);
      });
    }
  },
  async "a longer body than was told is what was told of it"() {
    for (const rest of [
      "Content-Length: 5\r\n\r\nhello, world",
      "Content-Length: 0\r\n\r\nhello",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nX",
      "Connection: close\r\nContent-Length: 5\r\n\r\nhello, world",
    ]) {
      await withRawServer(say(`HTTP/1.1 200 OK\r\n${rest}`), async ({ url }) => {
        const text = await (await send(url)).text();
        assert.equal(text, rest.includes("Length: 0") ? "" : "hello");
      });
    }
  },
  async "chunks do not share memory"() {
    const answer =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n";
    await withRawServer(say(answer), async ({ url }) => {
      const reader = (await send(url)).body?.getReader();
      const value = (await reader?.read())?.value;
      assert.equal(value?.byteLength, value?.buffer.byteLength);
    });
  },
  async "a 205 with a Content-Length ends at once"() {
    const answer = say("HTTP/1.1 205 Reset\r\nContent-Length: 5\r\n\r\n");
    await withRawServer(answer, async ({ url, sockets }) => {
      assert.equal((await send(url)).body, null);
      await until(() => [...sockets].every((socket) => socket.destroyed));
    });
  },
  async "an answer may take longer than an idle connection is kept"() {
    const late = (socket: Parameters<ReturnType<typeof say>>[0]): void =>
      void setTimeout(() => socket.write(OK), 4500);
    await withRawServer(late, async ({ url }) => {
      assert.equal(await (await send(url)).text(), "ok");
    });
  },
  async "chunks arrive as they are sent, with back pressure"() {
    let written = 0;
    const flood: Parameters<typeof withRawServer>[0] = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\nfirst");
      const more = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(65_536))) written += 65_536;
        socket.once("drain", more);
      };
      setTimeout(more, 50);
    };
    await withRawServer(flood, async ({ url }) => {
      const reader = (await send(url)).body?.getReader();
      assert.equal(new TextDecoder().decode((await reader?.read())?.value), "first");
      await sleep(300);
      const before = written;
      await sleep(300);
      assert.equal(written, before);
      await reader?.cancel();
      assert.deepEqual(await reader?.read(), { done: true, value: undefined });
    });
  },
  async "the part that has arrived is read before a body fails"() {
    const half: Parameters<typeof withRawServer>[0] = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello", () => socket.destroy());
    };
    await withRawServer(half, async ({ url }) => {
      const { body } = await send(url);
      await sleep(50);
      const reader = body?.getReader();
      assert.equal(new TextDecoder().decode((await reader?.read())?.value), "hello");
      await assert.rejects(async () => await reader?.read(), { code: "ECONNRESET" });
    });
  },
  async "a connection is reused, and a failure on it says so"() {
    const answer: Parameters<typeof withRawServer>[0] = (socket, _piece, count) =>
      count < 3 ? socket.write(OK) : socket.destroy();
    await withRawServer(answer, async ({ url, sockets }) => {
      for (const _time of [1, 2]) await (await send(url)).text();
      assert.equal(sockets.size, 1);
      await sleep(20);
      await assert.rejects(send(url), { reusedSocket: true });
      await assert.rejects(send(url), { reusedSocket: false });
    });
  },
  async "a connection that expired while a cell computed is not reused"() {
    const answer = say("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 2\r\n\r\nok");
    await withRawServer(answer, async ({ url, sockets }) => {
      for (const milliseconds of [0, 100, 1500]) {
        const end = performance.now() + milliseconds;
        while (performance.now() < end);
        assert.equal(await (await send(url, { method: "POST" })).text(), "ok");
      }
      assert.equal(sockets.size, 2);
    });
  },
  async "the connection of a complete answer is kept even if nobody reads it"() {
    await withRawServer(say(OK), async ({ url, sockets }) => {
      for (const _time of [1, 2, 3]) {
        const { body } = await send(url);
        await sleep(20);
        await body?.cancel();
        await sleep(20);
      }
      assert.equal(sockets.size, 1);
    });
  },
  async "an unexpected protocol upgrade is rejected"() {
    for (const lines of ["Connection: Upgrade\r\nUpgrade: x\r\n", "Upgrade: x\r\n"]) {
      const answer = say(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`);
      await withRawServer(answer, async ({ url }) => {
        await assert.rejects(send(url), /bad upgrade/);
      });
    }
  },
  async "an upload that fails ends the request with its reason"() {
    await withRawServer(
      () => undefined,
      async ({ url }) => {
        const body = new ReadableStream({
          pull: () => Promise.reject(new Error("the disk is gone")),
        });
        await assert.rejects(send(url, { method: "POST", body }), /the disk is gone/);
      },
    );
  },
  async "an upload that the server no longer reads is not read either"() {
    await withRawServer(
      (socket) => socket.destroy(),
      async ({ url }) => {
        const { init, state } = uploadOf(endless());
        await assert.rejects(send(url, init));
        await until(() => state.isCancelled);
      },
    );
  },
  async "an abort ends an upload with the reason of the abort"() {
    await withRawServer(
      (socket) => void socket.pause(),
      async ({ url }) => {
        const { init, state } = uploadOf(endless());
        const controller = new AbortController();
        const sending = send(url, { ...init, signal: controller.signal });
        setTimeout(() => controller.abort(new Error("enough")), 100);
        await assert.rejects(sending, /enough/);
        await until(() => state.isCancelled);
      },
    );
  },
  async "an early answer ends the upload"() {
    const refuse: Parameters<typeof withRawServer>[0] = (socket, _piece, count) => {
      if (count === 1) socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
    };
    await withRawServer(refuse, async ({ url, sockets }) => {
      const { init, state } = uploadOf(endless());
      const answer = await send(url, init);
      assert.deepEqual([answer.status, await answer.text()], [413, "big"]);
      await until(() => state.isCancelled);
      await until(() => [...sockets].every((socket) => socket.destroyed));
    });
  },
  async "a source without data is cancelled with its request"() {
    await withRawServer(
      () => undefined,
      async ({ url }) => {
        const controller = new AbortController();
        let isCancelled = false;
        const body = new ReadableStream({
          pull: () => new Promise(() => undefined),
          cancel: () => {
            isCancelled = true;
          },
        });
        const headers = { "content-length": "10" };
        const sending = send(url, { method: "POST", headers, body, signal: controller.signal });
        setTimeout(() => controller.abort(new Error("enough")), 50);
        await assert.rejects(sending, /enough/);
        await until(() => isCancelled);
      },
    );
  },
  async "a request that is aborted already is not sent"() {
    await withRawServer(say(OK), async ({ url, heard }) => {
      const signal = AbortSignal.abort(new Error("never mind"));
      await assert.rejects(send(url, { signal }), /never mind/);
      assert.deepEqual(heard, []);
    });
  },
  async "an abort while the body arrives fails the body"() {
    const answer = say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
    await withRawServer(answer, async ({ url }) => {
      const controller = new AbortController();
      const response = await send(url, { signal: controller.signal });
      setTimeout(() => controller.abort(new Error("enough")), 50);
      await assert.rejects(response.text(), /enough/);
    });
  },
});
