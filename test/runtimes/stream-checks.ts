import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { withRawServer } from "../http/transport/raw-server.ts";
import { explore } from "../support/explore.ts";
import { type Check, checks } from "./check.ts";
import { pieces, sendNext } from "./pieces.ts";

const EVENTS = "text/event-stream";
const LINES = "application/x-ndjson";

/** Answers that are read while they come. */
export const streamChecks: readonly Check[] = checks({
  async "the response of a request that the text refers to is not streamed"({ lib, base }) {
    const lab = lib.createClient();
    await lab.send(`# @name first\nGET ${base}/body?hex=31`);
    const text = `# @forceRef first\nGET ${base}/body?hex=32&type=text/plain`;
    const stream = lab.stream(text, { as: "text" });
    const seen: string[] = [];
    for await (const item of stream) seen.push(item.text);
    assert.deepEqual([seen, (await stream.head).mediaType], [["2"], "text/plain"]);
  },
  async "a stream of events is continued after its last one, if that is asked for"({ lib }) {
    const asked: string[] = [];
    const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    const answers: readonly ((socket: Socket) => void)[] = [
      (socket) => socket.end(`${head}retry: 5\n\nid: 1\ndata: a\n\ndata: b\n\n`),
      (socket) => void socket.write(`${head}id: é2\ndata: c\n\n`, () => socket.resetAndDestroy()),
      (socket) => socket.destroy(),
      (socket) => socket.end(`${head}data: d\n\n`),
      (socket) => socket.end("HTTP/1.1 204 Done\r\nConnection: close\r\n\r\n"),
    ];
    const answer = (socket: Socket, message: string, count: number): void => {
      asked.push(/^last-event-id: (.*)$/im.exec(message)?.[1]?.trim() ?? "none");
      answers[count - 1]?.(socket);
    };
    await withRawServer(answer, async ({ url }) => {
      const stream = lib
        .createClient()
        .stream({ url: url.href }, { as: "events", reconnect: true });
      const seen: unknown[] = [];
      for await (const { data, id, retry } of stream) seen.push([data, id, retry]);
      assert.deepEqual(seen, [
        ["a", "1", 5],
        ["b", "1", undefined],
        ["c", "é2", undefined],
        ["d", undefined, undefined],
      ]);
      assert.equal((await stream.exchange).status, 204);
      assert.deepEqual(asked, ["none", "1", "Ã©2", "Ã©2", "Ã©2"]);
    });
  },
  async "a stream that was never open, and one that is left, are not asked for again"({ lib }) {
    const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    const answer = (socket: Socket, _message: string, count: number): void => {
      if (count === 1) socket.destroy();
      else socket.end(`${head}retry: 1\ndata: a\n\n`);
    };
    await withRawServer(answer, async ({ url, heard }) => {
      const open = () =>
        lib.createClient().stream({ url: url.href }, { as: "events", reconnect: true });
      await assert.rejects(open().exchange, { code: "reset" });
      let count = 0;
      for await (const _event of open()) if (++count === 3) break;
      const sent = heard.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual([sent, heard.length], [4, 4]);
    });
  },
  async "events come one by one, wherever the stream is cut into pieces"({ lib, base }) {
    const parts = [
      ": hello\n\nid: 7\nev",
      'ent: tick\ndata: {"n":\ndata: 9007199254740993}\n',
      "\r\ndata: plain\r\n\r\ndata",
      ": not ended",
    ];
    const seen: unknown[] = [];
    const stream = lib
      .createClient()
      .stream(`GET ${pieces(base, EVENTS, parts)}`, { as: "events" });
    for await (const { event, data, id } of stream) seen.push([event, data, id]);
    assert.deepEqual(seen, [
      ["tick", '{"n":\n9007199254740993}', "7"],
      ["message", "plain", "7"],
    ]);
    const exchange = await stream.exchange;
    assert.equal(exchange.text, parts.join(""));
    assert.equal(exchange.cut, false);
    assert.deepEqual(exchange.warnings, []);
  },
  async "an item is there before the next one is sent"({ lib, base }) {
    const stream = lib
      .createClient()
      .stream(`GET ${pieces(base, LINES, ['{"id":9007199254740993}\n'], "&hang=1")}`);
    assert.equal((await stream.head).status, 200);
    for await (const item of stream) {
      assert.equal(item.kind, "line");
      if (item.kind === "line") assert.equal(explore(item.json).id, 9007199254740993n);
      break;
    }
    const exchange = await stream.exchange;
    assert.equal(exchange.cut, true);
    assert.match(exchange.warnings[0] ?? "", /^The response was stopped after \d+ bytes/);
  },
  async "the Content-Type decides what a stream gives, and as goes before it"({ lib, base }) {
    const lab = lib.createClient();
    const table = [
      [EVENTS, ["data: a\n\n"], ["event"]],
      [LINES, ["1\n2", "\n\n3"], ["line", "line", "line"]],
      ["application/json-seq", ["\u001e1\n\u001e2\n"], ["line", "line"]],
      ["text/plain", ["a", "b"], ["text", "text"]],
      ["application/octet-stream", ["a", "b"], ["bytes", "bytes"]],
      ["text/plain", [], []],
    ] as const;
    for (const [type, parts, kinds] of table) {
      const seen: string[] = [];
      const url = pieces(base, type, parts, "&gate=kinds");
      for await (const item of lab.stream({ url })) {
        seen.push(item.kind);
        await sendNext(base, "kinds");
      }
      assert.deepEqual(seen, kinds, type);
    }
    const lines: string[] = [];
    const url = pieces(base, "text/plain", ["one\ntw", "o\n"], "&gate=lines");
    for await (const { text } of lab.stream({ url }, { as: "lines" })) {
      lines.push(text);
      await sendNext(base, "lines");
    }
    assert.deepEqual(lines, ["one", "two"]);
  },
  async "text is decoded by its charset, and no character is cut in two"({ lib, base }) {
    const texts: string[] = [];
    const url = `${base}/body?hex=fc&type=${encodeURIComponent("text/plain; charset=latin1")}`;
    for await (const { text } of lib.createClient().stream({ url }, { as: "text" })) {
      texts.push(text);
    }
    assert.equal(texts.join(""), "ü");
  },
  async "a line that is no JSON throws where its JSON is asked for, and only there"({ lib, base }) {
    const kinds: string[] = [];
    const stream = lib
      .createClient()
      .stream(`GET ${pieces(base, LINES, ["{oops\n", "2\n"])}`, { as: "lines" });
    for await (const line of stream) {
      try {
        kinds.push(String(line.json));
      } catch (error) {
        kinds.push((error as Error).name);
      }
    }
    assert.deepEqual(kinds, ["SyntaxError", "2"]);
  },
  async "a slow loop slows the server down, and the exchange keeps the first bytes"({ lib, base }) {
    const lab = lib.createClient({ timeout: 200 });
    const stream = lab.stream(`GET ${base}/endless`, { keepBytes: 1000 });
    let bytes = 0;
    for await (const item of stream) {
      if (item.kind === "bytes") bytes += item.bytes.byteLength;
      await new Promise((resolve) => setTimeout(resolve, 5));
      // The time limit was over long ago, and nothing was held against it.
      if (bytes > 3_000_000) break;
    }
    const exchange = await stream.exchange;
    assert.equal(exchange.bytes.byteLength, 1000);
    assert.equal(exchange.cut, true);
    assert.equal(lab.pending.length, 0);
  },
  async "a stream that was read to its end has no warning about what the exchange keeps of it"({
    lib,
    base,
  }) {
    const stream = lib.createClient().stream(`GET ${base}/body?hex=616263`, { keepBytes: 2 });
    for await (const _ of stream);
    const { cut, cutReason, warnings } = await stream.exchange;
    assert.deepEqual([cut, cutReason, warnings], [true, "The exchange keeps 2 of its 3 bytes", []]);
  },
  async "the second request of a text is not part of the stream of the first"({ lib, base }) {
    const text = `GET ${base}/body?hex=61\n###\nGET ${base}/body?hex=62`;
    const stream = lib.createClient().stream(text, { as: "text" });
    const read = async (): Promise<void> => {
      for await (const _ of stream);
    };
    await assert.rejects(read(), {
      name: "UnsendableRequestError",
      message: /^Cannot stream another response: the text has several requests/,
    });
  },
  async "abort, stop and a signal end a stream with what came"({ lib, base }) {
    const lab = lib.createClient();
    const url = pieces(base, EVENTS, ["data: 1\n\n"], "&hang=1");
    const controller = new AbortController();
    const stops = [
      (stream: { stop(): void }) => stream.stop(),
      () => void lab.abort("enough"),
      () => controller.abort(),
    ];
    for (const stop of stops) {
      const stream = lab.stream({ url }, { as: "events", signal: controller.signal });
      const seen: string[] = [];
      for await (const { data } of stream) {
        seen.push(data);
        stop(stream);
      }
      assert.deepEqual(seen, ["1"]);
      assert.equal((await stream.exchange).cut, true);
    }
  },
  async "a failure is thrown inside the loop, after what came"({ lib, base, raw, closed }) {
    const lab = lib.createClient();
    await assert.rejects(
      async () => {
        for await (const _ of lab.stream(`GET ${closed}/`)) assert.fail();
      },
      { code: "refused" },
    );
    const seen: string[] = [];
    const broken = lab.stream(`GET ${raw}/reset-in-body`, { as: "text" });
    await assert.rejects(
      async () => {
        for await (const { text } of broken) seen.push(text);
      },
      { code: "cut-short" },
    );
    assert.equal(seen.join(""), "hello");
    await assert.rejects(broken.exchange, { code: "cut-short" });
    await assert.rejects(
      async () => {
        for await (const _ of lab.stream(`GET ${base}/{{nosuch}}`)) assert.fail();
      },
      { name: "UnresolvedPlaceholderError" },
    );
  },
  async "a time limit still holds until the answer begins"({ lib, base }) {
    const stream = lib.createClient({ timeout: 50 }).stream(`GET ${base}/stall`);
    await assert.rejects(stream.head, { code: "timed-out" });
  },
});
