import assert from "node:assert/strict";
import { openWebSocket } from "../../kernel/platform/mod.ts";
import { explore } from "../support/explore.ts";
import { type Check, type Context, checks } from "./check.ts";

type Lab = ReturnType<Context["lib"]["createClient"]>;

/** On Node the package of the platform opens them, on Deno and Bun the runtime's own. */
function createLab({ lib }: Context, options = {}): Lab {
  return lib.createClient({ openWebSocket, ...options });
}

const toSocket = (base: string): string => base.replace("http:", "ws:");

/** What was said, in order. */
function record({ json }: { json: unknown }): unknown[] {
  return (json as { from: string; message: unknown }[]).map(({ from, message }) => [from, message]);
}

/** WebSockets as request text and in programs. */
export const socketChecks: readonly Check[] = checks({
  async "messages of a request text are sent in order, and the record is the answer"(context) {
    const lab = createLab(context);
    lab.setVar("name", 'A"da\n===\nno separator');
    const exchange = await lab.send(
      `WEBSOCKET ${toSocket(context.base)}/echo\n\n===\nfirst\nline\n=== wait-for-server\n{"hi": "{{name}}"}\n===\n`,
      { quiet: 200 },
    );
    assert.deepEqual(record(exchange), [
      ["client", "first\nline"],
      ["server", "first\nline"],
      ["client", { hi: 'A"da\n===\nno separator' }],
      ["server", { hi: 'A"da\n===\nno separator' }],
    ]);
    assert.equal(exchange.status, 101);
    assert.equal(exchange.request.method, "WEBSOCKET");
    assert.deepEqual(exchange.warnings, []);
    assert.ok(
      explore(exchange.json)[0].at >= 0 &&
        explore(exchange.json)[0].at <= explore(exchange.json)[3].at,
    );
    assert.equal(lab.last, exchange);
    assert.equal(lab.pending.length, 0);
    assert.match(String(exchange), /server/);
  },
  async "it is opened with headers, credentials and a protocol"(context) {
    const lab = createLab(context);
    const address = toSocket(context.base).replace("//", "//ada:secret@");
    const { json } = await lab.send(
      `WS ${address}/greet\nX-A: 1\nX-A: 2\nSec-WebSocket-Protocol: chat, other\n\n=== wait-for-server`,
      { quiet: 100 },
    );
    assert.deepEqual(explore(json)[0].message, {
      hello: true,
      authorization: `Basic ${btoa("ada:secret")}`,
      "x-a": "1, 2",
      protocol: "chat",
    });
  },
  async "it ends with the server's close, whose code is told"(context) {
    const exchange = await createLab(context).send(
      `WEBSOCKET ${toSocket(context.base)}/close\n\none\n===\ntwo`,
      { quiet: 60_000 },
    );
    assert.deepEqual(exchange.warnings, [
      "The connection was closed with code 4001: that is enough",
    ]);
    assert.equal(exchange.cut, false);
  },
  async "without messages it listens until it is stopped, and keeps what came"(context) {
    const lab = createLab(context, { timeout: 2_000 });
    const seen: string[] = [];
    const exchange = await lab.send(`WEBSOCKET ${toSocket(context.base)}/tick`, {
      onHeaders: ({ status, mediaType }) => seen.push(`${status} ${mediaType}`),
      onChunk: (bytes) => {
        seen.push(JSON.parse(new TextDecoder().decode(bytes)).message);
        if (seen.length === 4) lab.abort();
      },
    });
    assert.deepEqual(seen, ["101 application/x-ndjson", "tick 1", "tick 2", "tick 3"]);
    assert.deepEqual(
      record(exchange),
      [1, 2, 3].map((n) => ["server", `tick ${n}`]),
    );
    assert.equal(exchange.cut, true);
    assert.match(exchange.warnings[0] ?? "", /^The conversation was stopped/);
  },
  async "quiet may be endless: it listens until it is stopped"(context) {
    const lab = createLab(context);
    const text = `WEBSOCKET ${toSocket(context.base)}/tick\n\nhello`;
    let ticks = 0;
    const exchange = await lab.send(text, {
      quiet: Number.POSITIVE_INFINITY,
      onChunk: (bytes) => {
        if (new TextDecoder().decode(bytes).includes("tick")) ticks += 1;
        if (ticks === 3) lab.abort();
      },
    });
    assert.deepEqual([ticks, exchange.cut], [3, true]);
    await assert.rejects(lab.send(text, { quiet: -1 }), {
      name: "TypeError",
      message: "Cannot use -1 as quiet: it is not a number of at least 0",
    });
    assert.equal(lab.history.length, 1);
  },
  async "a line break in the URL of a program adds no header and no second request"(context) {
    const lab = createLab(context);
    for (const more of ["\nX-A: 1", "\r\n\r\nhello", `\n###\nWEBSOCKET ${context.base}/tick`]) {
      await assert.rejects(lab.websocket(`${context.base}/greet${more}`), {
        name: "UnsendableRequestError",
        message: /^Cannot open the WebSocket "http:.*": its URL contains a line break$/s,
      });
    }
  },
  async "what does not open is an error that says why"(context) {
    const lab = createLab(context, { timeout: 300 });
    const table = [
      [`WEBSOCKET ${context.closed.replace("http:", "ws:")}/`, /got no response/, undefined],
      [`WEBSOCKET ${toSocket(context.base)}/stall`, /timed out after 300 ms/, "timed-out"],
    ] as const;
    for (const [text, message, code] of table) {
      await assert.rejects(lab.send(text), (error: Error & { code?: string }) => {
        assert.equal(error.name, code === undefined ? "NoResponseError" : "TimeoutError");
        assert.match(error.message, message);
        if (code) assert.equal(error.code, code);
        return true;
      });
      assert.equal(lab.pending.length, 0);
    }
  },
  async "a program sends and reads messages of every kind"(context) {
    const lab = createLab(context);
    lab.setVar("base", context.base);
    const socket = await lab.websocket("{{base}}/echo");
    socket.send("text");
    socket.send({ n: true, list: [1] });
    const bytes = Uint8Array.from([0, 255]);
    for (const data of [
      bytes,
      bytes.buffer,
      new DataView(bytes.buffer),
      new Uint16Array(bytes.buffer),
    ]) {
      socket.send(data);
    }
    assert.equal((await socket.next())?.data, "text");
    assert.deepEqual((await socket.next())?.json, { n: true, list: [1] });
    for (let count = 0; count < 4; count++) assert.deepEqual((await socket.next())?.data, bytes);
    assert.equal(lab.pending.length, 1);
    for (const data of [undefined, new Map([["a", 1]]), new Blob(["a"])]) {
      assert.throws(() => socket.send(data), TypeError);
    }
    assert.equal(socket.messages.length, 12);
    assert.match(String(socket), /client[\s\S]*text/);
    const { code } = await socket.close(4000, "done");
    assert.equal(code, 4000);
    assert.equal(await socket.next(), undefined);
    assert.equal(lab.pending.length, 0);
  },
  async "several calls of next at once each get their own message"(context) {
    const socket = await createLab(context).websocket(`${context.base}/echo`);
    const messages = [socket.next(), socket.next(), socket.next()];
    socket.send("one");
    socket.send("two");
    await messages[1];
    await socket.close();
    const data = (await Promise.all(messages)).map((message) => message?.data);
    assert.deepEqual(data, ["one", "two", undefined]);
  },
  async "a loop reads until the end, and leaving it closes the connection"(context) {
    const lab = createLab(context);
    const ticks: (string | Uint8Array)[] = [];
    const socket = await lab.websocket(`${context.base}/tick`, { headers: { "X-A": "1" } });
    for await (const { data } of socket) {
      ticks.push(data);
      if (ticks.length === 3) break;
    }
    assert.equal(ticks.join(), "tick 1,tick 2,tick 3");
    await socket.closed;
    const second = await lab.websocket(`${context.base}/tick`);
    setTimeout(() => lab.abort(), 100);
    for await (const { data } of second) ticks.push(data);
    assert.ok(ticks.length > 3);
    assert.equal((await second.closed).reason, "aborted");
  },
  async "a program that does not read makes a flood wait, or hears why it was ended"(context) {
    const socket = await createLab(context).websocket(`${context.base}/flood`);
    const numberOf = (message = socket.messages.at(-1)): number =>
      Number.parseInt(String(message?.data), 10);
    let isOver = false;
    void socket.closed.then(() => {
      isOver = true;
    });
    for (let before = -1; !isOver && !(numberOf() >= 100 && numberOf() === before); ) {
      before = numberOf();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    // 32 MiB, and what lies between two runtimes.
    const most = 1_000;
    assert.ok(numberOf() < most, `${numberOf()} messages came`);
    if (isOver) {
      const read = async (): Promise<void> => {
        for (let n = 0; n < most; n++) assert.equal(numberOf(await socket.next()), n);
      };
      await assert.rejects(read(), { name: "RangeError", message: /wait to be read/ });
      assert.equal(await socket.next(), undefined);
    } else {
      for (let n = 0; n < most; n++) assert.equal(numberOf(await socket.next()), n);
      await socket.close();
    }
  },
  async "a runtime without WebSocket says what is missing"({ lib, base }) {
    const openNone = (url: string): never => {
      throw new lib.UnsendableRequestError(`Cannot open the WebSocket "${url}": there is none`);
    };
    await assert.rejects(lib.createClient({ openWebSocket: openNone }).websocket(`${base}/echo`), {
      name: "UnsendableRequestError",
    });
  },
});
