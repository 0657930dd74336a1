import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { fetchByNode } from "../../kernel/platform/node-fetch.ts";

const opened: Server[] = [];
const sockets = new Set<Socket>();

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of opened.splice(0)) server.close();
});

/** A server that does what it is told with each piece that arrives; what has arrived stands in `heard`. */
async function listen(
  answer: (socket: Socket, piece: string, count: number) => void,
  host = "127.0.0.1",
): Promise<{ readonly url: URL; readonly heard: string[] }> {
  const heard: string[] = [];
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      heard.push(data.toString("latin1"));
      answer(socket, data.toString("latin1"), ++count);
    });
  }).listen(0, host);
  opened.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}/a?b=1`), heard };
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const say =
  (text: string | Buffer) =>
  (socket: Socket): void =>
    void socket.write(text);

function send(url: URL, init: RequestInit = {}): Promise<Response> {
  return fetchByNode(url.href, { redirect: "manual", ...init });
}

function textOf(response: Response): Promise<string> {
  return response.text();
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

describe("requests on the wire", () => {
  const cases: readonly [string, RequestInit, readonly string[], string][] = [
    ["a GET", {}, ["Connection: keep-alive"], ""],
    [
      "headers as they are written, in their order",
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
    [
      "a POST without a body",
      { method: "POST" },
      ["Content-Length: 0", "Connection: keep-alive"],
      "",
    ],
    ["a DELETE without a body", { method: "DELETE" }, ["Connection: keep-alive"], ""],
    [
      "text, measured in bytes",
      { method: "POST", body: "ü", headers: [["X-a", "caf\xe9"]] },
      [
        "X-a: caf\xe9",
        "content-type: text/plain;charset=UTF-8",
        "Content-Length: 2",
        "Connection: keep-alive",
      ],
      "\xc3\xbc",
    ],
    [
      "bytes, with a custom method",
      { method: "QUERY", body: new Uint8Array([104, 105]) },
      ["Content-Length: 2", "Connection: keep-alive"],
      "hi",
    ],
    [
      "a stream of known length",
      { ...uploadOf(["a", "bc"]).init, method: "PUT", headers: [["content-length", "3"]] },
      ["content-length: 3", "Connection: keep-alive"],
      "abc",
    ],
    [
      "a stream of unknown length, by a method that seldom has a body",
      { ...uploadOf(["a", "bc"]).init, method: "DELETE" },
      ["Transfer-Encoding: chunked", "Connection: keep-alive"],
      "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
    ],
  ];

  test.each(cases)("%s", async (_name, more, lines, body) => {
    const { url, heard } = await listen((socket) => {
      const text = heard.join("");
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const sent = rest.join("\r\n\r\n");
      if (head !== text && sent.length >= body.length) socket.write(OK);
    });
    expect(await textOf(await send(url, more))).toBe("ok");
    const [first, host, ...others] = heard.join("").split("\r\n");
    expect(first).toBe(`${more.method ?? "GET"} /a?b=1 HTTP/1.1`);
    expect(host).toBe(`Host: ${url.host}`);
    expect(others.join("\r\n")).toBe(`${lines.join("\r\n")}\r\n\r\n${body}`);
  });

  test("an IPv6 address", async () => {
    const { url, heard } = await listen(say(OK), "::1");
    expect(await textOf(await send(url))).toBe("ok");
    expect(heard[0]).toContain(`\r\nHost: [::1]:${url.port}\r\n`);
  });
});

describe("answers", () => {
  test("the headers, including repeated ones and text that is not ASCII", async () => {
    const { url } = await listen(
      say(
        Buffer.from(
          "HTTP/1.1 599 Sö So\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-A: 1\r\nx-a: \xe9\r\nContent-Length: 0\r\n\r\n",
          "latin1",
        ),
      ),
    );
    const { status, statusText, headers } = await send(url);
    expect([status, statusText]).toEqual([599, "Sö So"]);
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(headers.get("x-a")).toBe("1, \xe9");
  });

  test("early hints are ignored", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n";
    const { url } = await listen(say(hints + OK));
    const answer = await send(url);
    expect([answer.status, await textOf(answer)]).toEqual([200, "ok"]);
  });

  test.each(["HEAD", "GET"])("an answer without a body: %s", async (method) => {
    const status = method === "GET" ? "304 Not Modified" : "200 OK";
    const { url, heard } = await listen(say(`HTTP/1.1 ${status}\r\nContent-Length: 5\r\n\r\n`));
    for (const _time of [1, 2]) {
      expect((await send(url, { method })).body).toBeNull();
      await sleep(20);
    }
    expect(heard).toHaveLength(2);
    expect(sockets.size).toBeGreaterThan(0);
  });

  const packed: readonly [string, string, Buffer][] = [
    ["gzip", "gzip", gzipSync("hello")],
    ["its older name, in capitals", "X-GZIP", gzipSync("hello")],
    ["deflate", "deflate", deflateSync("hello")],
    ["deflate without its frame", "deflate", deflateRawSync("hello")],
    ["br", "br", brotliCompressSync("hello")],
    ...(
      [
        ["deflate", deflateSync("hello")],
        ["deflate", deflateRawSync("hello")],
        ["br", brotliCompressSync("hello")],
      ] as const
    ).map(([name, bytes]): [string, string, Buffer] => [
      `${name}, with a line end behind it`,
      name,
      Buffer.concat([bytes, Buffer.from("\r\n")]),
    ]),
    ["one on top of the other", "deflate, gzip", gzipSync(deflateSync("hello"))],
    ["nothing", "identity", Buffer.from("hello")],
    ["a coding that nobody knows", "gzip, rot13", Buffer.from("hello")],
    ["a body of no bytes", "gzip", Buffer.alloc(0)],
    ["no bytes of deflate", "deflate", Buffer.alloc(0)],
  ];
  test.each(packed)("compressed by %s", async (_name, encoding, bytes) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const { url } = await listen(say(Buffer.concat([Buffer.from(head), bytes])));
    const text = await textOf(await send(url));
    expect(text).toBe(bytes.length === 0 ? "" : "hello");
  });

  test.each([
    ["gzip", "incorrect header check"],
    ["deflate", "invalid"],
    ["gzip, gzip, gzip, gzip, gzip, gzip", "too many codings"],
  ])("a body that is not %s is a failure", async (encoding, message) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: 5\r\n\r\n`;
    const { url } = await listen(say(Buffer.from(`${head}\xff\xff\xff\xff\xff`, "latin1")));
    await expect(send(url).then(textOf)).rejects.toThrow(message);
  });

  test.each([
    ["a longer body than was told", "Content-Length: 5\r\n\r\nhello, world"],
    ["a body where none was told", "Content-Length: 0\r\n\r\nhello"],
    ["a rest behind the last chunk", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nX"],
    ["a rest before the end", "Connection: close\r\nContent-Length: 5\r\n\r\nhello, world"],
  ])("%s is what was told of it", async (_name, rest) => {
    const { url } = await listen(say(`HTTP/1.1 200 OK\r\n${rest}`));
    const text = await textOf(await send(url));
    expect(text).toBe(rest.includes("Length: 0") ? "" : "hello");
  });

  test("chunks do not share memory", async () => {
    const { url } = await listen(
      say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"),
    );
    const { body } = await send(url);
    const value = (await body?.getReader().read())?.value;
    expect([value?.byteLength, value?.buffer.byteLength]).toEqual([6, 6]);
  });

  test("a 205 with a Content-Length ends at once", async () => {
    const { url } = await listen(say("HTTP/1.1 205 Reset\r\nContent-Length: 5\r\n\r\n"));
    expect((await send(url)).body).toBeNull();
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
  });

  test("an answer may take longer than an idle connection is kept", async () => {
    const { url } = await listen((socket) => void setTimeout(() => socket.write(OK), 4500));
    expect(await textOf(await send(url))).toBe("ok");
  });

  test("chunks arrive as they are sent, with back pressure", async () => {
    let written = 0;
    const { url } = await listen((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\nfirst");
      const more = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(65_536))) written += 65_536;
        socket.once("drain", more);
      };
      setTimeout(more, 50);
    });
    const { body } = await send(url);
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
    await sleep(300);
    const before = written;
    await sleep(300);
    expect(written).toBe(before);
    await reader?.cancel();
    expect(await reader?.read()).toEqual({ done: true });
  });

  test("the part that has arrived is read before a body fails", async () => {
    const { url } = await listen((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello", () => socket.destroy());
    });
    const { body } = await send(url);
    await sleep(50);
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("hello");
    await expect(reader?.read()).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});

describe("connections", () => {
  test("a connection is reused, and a failure on it says so", async () => {
    const { url } = await listen((socket, _piece, count) =>
      count < 3 ? socket.write(OK) : socket.destroy(),
    );
    sockets.clear();
    for (const _time of [1, 2]) await textOf(await send(url));
    expect(sockets.size).toBe(1);
    await sleep(20);
    await expect(send(url)).rejects.toMatchObject({ reusedSocket: true });
    await expect(send(url)).rejects.toMatchObject({ reusedSocket: false });
  });

  test("a connection that expired while a cell computed is not reused", async () => {
    const { url } = await listen(
      say("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 2\r\n\r\nok"),
    );
    sockets.clear();
    for (const milliseconds of [0, 100, 1500]) {
      const until = performance.now() + milliseconds;
      while (performance.now() < until);
      expect(await textOf(await send(url, { method: "POST" }))).toBe("ok");
    }
    expect(sockets.size).toBe(2);
  });

  test("the connection of a complete answer is kept even if nobody reads it", async () => {
    const { url } = await listen(say(OK));
    sockets.clear();
    for (const _time of [1, 2, 3]) {
      const { body } = await send(url);
      await sleep(20);
      await body?.cancel();
      await sleep(20);
    }
    expect(sockets.size).toBe(1);
  });

  test.each(["Connection: Upgrade\r\nUpgrade: x\r\n", "Upgrade: x\r\n"])(
    "an unexpected protocol upgrade is rejected: %j",
    async (lines) => {
      const { url } = await listen(say(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`));
      await expect(send(url)).rejects.toThrow("bad upgrade");
    },
  );
});

describe("uploads", () => {
  function* endless(): Generator<string> {
    for (;;) yield "x".repeat(65_536);
  }

  test("an upload that fails ends the request with its reason", async () => {
    const { url } = await listen(() => undefined);
    const body = new ReadableStream({
      pull: () => Promise.reject(new Error("the disk is gone")),
    });
    const sending = send(url, { method: "POST", body });
    await expect(sending).rejects.toThrow("the disk is gone");
  });

  test("an upload that the server no longer reads is not read either", async () => {
    const { url } = await listen((socket) => socket.destroy());
    const { init, state } = uploadOf(endless());
    await expect(send(url, init)).rejects.toThrow();
    await expect.poll(() => state.isCancelled).toBe(true);
  });

  test("an abort ends it with the reason of the abort", async () => {
    const { url } = await listen((socket) => void socket.pause());
    const { init, state } = uploadOf(endless());
    const controller = new AbortController();
    const sending = send(url, { ...init, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(sending).rejects.toThrow("enough");
    await expect.poll(() => state.isCancelled).toBe(true);
  });

  test("an early answer ends the upload", async () => {
    const { url } = await listen((socket, _piece, count) => {
      if (count === 1) socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
    });
    const { init, state } = uploadOf(endless());
    const answer = await send(url, init);
    expect([answer.status, await textOf(answer)]).toEqual([413, "big"]);
    await expect.poll(() => state.isCancelled).toBe(true);
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
  });

  test("a source without data is cancelled with its request", async () => {
    const { url } = await listen(() => undefined);
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
    await expect(sending).rejects.toThrow("enough");
    await expect.poll(() => isCancelled).toBe(true);
  });
});

test("a request that is aborted already is not sent", async () => {
  const { url, heard } = await listen(say(OK));
  const signal = AbortSignal.abort(new Error("never mind"));
  await expect(send(url, { signal })).rejects.toThrow("never mind");
  expect(heard).toEqual([]);
});

test("an abort while the body arrives fails the body", async () => {
  const { url } = await listen(say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"));
  const controller = new AbortController();
  const answer = await send(url, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 50);
  await expect(textOf(answer)).rejects.toThrow("enough");
});
