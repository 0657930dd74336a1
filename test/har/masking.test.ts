import http from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { platform } from "../../kernel/platform/library.ts";
import { type Client, createClient, createReplay, type HarEntry, readHar } from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";
import { harFaults } from "./har-schema.ts";
import { createMemoryFile, type MemoryFile } from "./memory-file.ts";

const KEY = "very-secret-key-7";
const ESCAPED = `a "${KEY}"\n`;

/** What a WebSocket server sends, by its path. */
const FRAMES: Readonly<Record<string, readonly (string | Buffer)[]>> = {
  "/numbers": ['{"otp":483920}', '{"ok":true,"pin": 98761234,"big":9007199254740993}'],
  "/texts": [ESCAPED, JSON.stringify({ note: ESCAPED }), '{"base64":"no base64!"}'],
  "/bytes": [
    Buffer.from(`key=${KEY}`),
    Buffer.from('{"otp":483920}'),
    Buffer.from([0, 255, 1]),
    Buffer.concat([Buffer.from([0, 255]), Buffer.from(KEY)]),
  ],
  "/deep": ["[".repeat(20_000) + "]".repeat(20_000)],
};

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (data: Buffer) => chunks.push(data));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    const isCompressed = request.headers["content-encoding"] === "gzip";
    response.setHeader("Content-Type", request.headers["content-type"] ?? "text/plain");
    response.end(isCompressed ? gunzipSync(body) : body);
  });
});
const sockets = new WebSocketServer({ server });
sockets.on("connection", (peer, { url = "" }) => {
  if (url === "/echo") {
    peer.on("message", (data) => {
      peer.send(String(data));
      peer.close(1000);
    });
    return;
  }
  for (const frame of FRAMES[url] ?? []) peer.send(frame);
  peer.close(1000);
});
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  sockets.close();
  server.close();
});

describe("a recording", () => {
  let file: MemoryFile;
  let client: Client;
  let stop: () => void;
  beforeEach(async () => {
    file = createMemoryFile();
    client = createClient({ ...platform, openGrowingFile: file.open });
    client.setVar("key", KEY, { secret: true });
    client.setVar("pin", "98761234", { secret: true });
    const recorder = await client.record("lab.har");
    stop = () => recorder.stop();
  });

  function entries(): readonly HarEntry[] {
    expect(stop).not.toThrow();
    const document = JSON.parse(file.text());
    expect(harFaults(document)).toEqual([]);
    expect(file.text()).not.toMatch(/very-secret|hush-hush|483920|98761234/);
    return document.log.entries;
  }

  /** A client that is answered from the recording. */
  function replaying(): Client {
    const refuse = (): never => {
      throw new Error("A request was sent");
    };
    const lab = createClient({ ...createReplay(readHar(file.text(), "lab.har")), fetch: refuse });
    lab.setVar("key", KEY, { secret: true });
    return lab;
  }

  test("masks a Content-Type beside its header", async () => {
    const text = `POST ${base}/\nContent-Type: text/plain; profile={{key}}\n\nhello`;
    await client.send(text);
    const [entry] = entries();
    const type = "text/plain; profile={{key}}";
    expect(entry?.request.postData).toEqual({ mimeType: type, text: "hello" });
    expect(entry?.response.content).toEqual({ mimeType: type, text: "hello", size: 5 });
    for (const { headers } of [entry?.request, entry?.response].filter((it) => it !== undefined)) {
      expect(headers).toContainEqual({
        name: expect.stringMatching(/^content-type$/i),
        value: type,
      });
    }
    expect((await replaying().send(text)).text).toBe("hello");
  });

  test("has a body as it was before restlab compressed it, masked, and a replay answers it", async () => {
    const text = (compression: string): string =>
      `# @compress ${compression}\nPOST ${base}/${compression}\nContent-Type: application/json\n\n{"password": "hush-hush-9", "n": 1, "key": "{{key}}"}`;
    const size = (await client.send(text("gzip"))).sizes.request.body;
    const form = { password: "hush-hush-8" };
    await client.send({ url: `${base}/form`, form, compress: "deflate" });
    const [json, fields] = entries();
    expect(json?.request.postData?.text).toBe('{"password": "•••", "n": 1, "key": "{{key}}"}');
    expect(json?.request.bodySize).toBe(size);
    expect(fields?.request.postData).toMatchObject({
      text: "password=•••",
      params: [{ name: "password", value: "•••" }],
    });
    const lab = replaying();
    expect(explore((await lab.send(text("gzip"))).json).n).toBe(1);
    await lab.send({ url: `${base}/form`, form, compress: "deflate" });
    await expect(lab.send(text("gzip").replace('"n": 1', '"n": 2'))).rejects.toThrow(
      `The nearest recorded request is POST ${base}/gzip with another body`,
    );
  });

  test("masks a number in JSON and JSON Lines as a text, and changes no other", async () => {
    const json = '{"otp":483920,"big":9007199254740993,"real":1.0}';
    const body = `${json}\n${json}\n`;
    const types = ["application/json", "application/x-ndjson"];
    for (const type of types) {
      const headers = { "Content-Type": type };
      await client.send({ url: `${base}/`, headers, body: type === types[0] ? json : body });
    }
    const [first, second] = entries().map(({ response }) => response.content.text);
    const masked = '{"otp":"•••","big":9007199254740993,"real":1.0}';
    expect([first, second]).toEqual([masked, `${masked}\n${masked}\n`]);
    const headers = { "Content-Type": "application/json" };
    expect((await replaying().send({ url: `${base}/`, headers, body: json })).text).toBe(masked);
  });

  test("has a body that a program compressed as it was sent, and a replay answers it", async () => {
    const headers = { "Content-Encoding": "gzip" };
    for (const body of [gzipSync("hello"), gzipSync("hello")]) {
      const lab = file.state() === "committed" ? replaying() : client;
      expect((await lab.send({ url: `${base}/`, method: "POST", headers, body })).text).toBe(
        "hello",
      );
      const [entry] = entries();
      expect(entry?.request.postData?.text).toBe(body.toString("base64"));
    }
  });

  test("masks a number in a message of the client, and a replay answers it", async () => {
    const text = `WEBSOCKET ${base}/echo\n\n===\n{"otp": 483920}\n=== wait-for-server`;
    await client.send(text);
    const [entry] = entries();
    expect(entry?._webSocketMessages?.[0]?.data).toBe('{"otp":"•••"}');
    const { json, warnings } = await replaying().send(text);
    expect([explore(json).length, warnings]).toEqual([2, []]);
  });

  const messages = async (path: string): Promise<HarEntry | undefined> => {
    await client.send(`WEBSOCKET ${base}${path}\n\n=== wait-for-server`);
    await client.send(`GET ${base}/next`);
    const [entry, next] = entries();
    expect(next?.request.url).toBe(`${base}/next`);
    return entry;
  };
  /** What a replay of the WebSocket receives. */
  const received = async (path: string): Promise<readonly unknown[]> => {
    const socket = await replaying().websocket(`${base}${path}`);
    const data: unknown[] = [];
    for await (const message of socket) data.push(message.data);
    return data;
  };

  test("masks a number in a message as a text", async () => {
    const entry = await messages("/numbers");
    expect(entry?.comment).toBeUndefined();
    const data = entry?._webSocketMessages?.map((one) => JSON.parse(one.data));
    expect(data).toEqual([{ otp: "•••" }, expect.objectContaining({ ok: true, pin: "{{pin}}" })]);
    expect(entry?._webSocketMessages?.[1]?.data).toContain("9007199254740993");
    expect(await received("/numbers")).toEqual(entry?._webSocketMessages?.map((one) => one.data));
  });

  test("masks a message by itself, so that what is around it stays", async () => {
    await messages("/texts");
    expect(await received("/texts")).toEqual([
      'a "{{key}}"\n',
      '{"note":"a \\"{{key}}\\"\\n"}',
      '{"base64":"no base64!"}',
    ]);
  });

  test("masks binary messages as bytes, and says which one it has not", async () => {
    const entry = await messages("/bytes");
    const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
    expect(await received("/bytes")).toEqual([
      utf8("key={{key}}"),
      utf8('{"otp":"•••"}'),
      Uint8Array.of(0, 255, 1),
      new Uint8Array(),
    ]);
    expect(entry?.comment).toBe("Message 4: The body was not recorded: it contains a secret");
  });

  test("says what it cannot write, and goes on", async () => {
    const entry = await messages("/deep");
    expect(entry).not.toHaveProperty("_webSocketMessages");
    expect(entry?.comment).toMatch(/^The messages were not recorded: .*nested too deeply/);
  });
});
