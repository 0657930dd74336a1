import { writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { platform } from "../../kernel/platform/library.ts";
import { type Client, createClient, createReplay, type HarEntry, readHar } from "../../lib/mod.ts";
import { makeFolder } from "../support/folders.ts";
import { harFaults } from "./har-schema.ts";
import { createMemoryFile, type MemoryFile } from "./memory-file.ts";

const PNG = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]);
const LATIN = Buffer.from([0x67, 0x72, 0xfc, 0xdf, 0x65]);
const TOKEN = "tok-en-of-a-session-99";
const NONCE = "dcd98b7102dd2f0e8b11d0f600bfb0c093";

type Answer = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void;

const json =
  (value: unknown): Answer =>
  (_request, response) =>
    void response.setHeader("Content-Type", "application/json").end(JSON.stringify(value));

let tries = 0;
const ANSWERS: Readonly<Record<string, Answer>> = {
  "/echo": (request, response, body) => json({ url: request.url, body })(request, response, body),
  "/login": json({ access_token: TOKEN, token_type: "bearer", expires_in: 3600, pin: 98_761_234 }),
  "/whoami": ({ headers }, response) =>
    void response.end(`You are ${headers.authorization}, ${headers.cookie}`),
  "/to": (_request, response) =>
    void response
      .writeHead(302, {
        Location: "/echo?a=1",
        "Set-Cookie": "sid=hush-hush-4242; Path=/; HttpOnly",
      })
      .end("moved"),
  "/png": (_request, response) => void response.setHeader("Content-Type", "image/png").end(PNG),
  "/latin": (_request, response) =>
    void response.setHeader("Content-Type", "text/plain; charset=iso-8859-1").end(LATIN),
  "/gzip": (_request, response) =>
    void response
      .writeHead(200, { "Content-Type": "text/plain", "Content-Encoding": "gzip" })
      .end(gzipSync("x".repeat(1000))),
  "/events": (_request, response) =>
    void response.setHeader("Content-Type", "text/event-stream").end("data: 1\n\ndata: 2\n\n"),
  "/flaky": (_request, response) => void response.writeHead(tries++ === 0 ? 503 : 200).end("done"),
  "/digest": ({ headers }, response) =>
    headers.authorization === undefined
      ? void response
          .writeHead(401, { "WWW-Authenticate": `Digest realm="r", nonce="${NONCE}", qop="auth"` })
          .end()
      : void response.end("in"),
  "/long": (_request, response) =>
    void response
      .writeHead(302, { Location: "/echo", "Content-Type": "application/json" })
      .end(JSON.stringify({ access_token: "hush-hush-redirect", filler: "x".repeat(100_000) })),
  "/none": (_request, response) => void response.writeHead(204).end(),
};

const refuse: typeof fetch = () => {
  throw new Error("A request was sent");
};

const server = http.createServer((request, response) => {
  let body = "";
  request.on("data", (data) => {
    body += String(data);
  });
  request.on("end", () => {
    const [path = ""] = (request.url ?? "").split("?");
    ANSWERS[path]?.(request, response, body);
  });
});
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe("client.record", () => {
  let file: MemoryFile;
  let client: Client;
  beforeEach(async () => {
    file = createMemoryFile();
    client = createClient({ ...platform, openGrowingFile: file.open });
    client.setVar("base", base);
    await client.record("lab.har");
  });

  async function recorded(text: string, options = {}): Promise<readonly HarEntry[]> {
    await client.sendAll(text, options);
    const document = JSON.parse(file.text());
    expect(harFaults(document)).toEqual([]);
    return document.log.entries;
  }

  test("writes the request and the response, with real timings", async () => {
    const before = Date.now();
    const [entry] = await recorded(
      "POST {{base}}/echo?a=1&b=x%20y\nContent-Type: application/x-www-form-urlencoded\n\nc=2&d=ü",
    );
    expect(entry?.request).toMatchObject({
      method: "POST",
      url: `${base}/echo?a=1&b=x%20y`,
      httpVersion: "HTTP/1.1",
      queryString: [
        { name: "a", value: "1" },
        { name: "b", value: "x y" },
      ],
      postData: {
        mimeType: "application/x-www-form-urlencoded",
        text: "c=2&d=%C3%BC",
        params: [
          { name: "c", value: "2" },
          { name: "d", value: "ü" },
        ],
      },
      bodySize: 12,
    });
    const names = entry?.request.headers.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(["host", "content-length", "user-agent"]));
    expect(entry?.response).toMatchObject({ status: 200, statusText: "OK" });
    const { text = "" } = entry?.response.content ?? {};
    expect(JSON.parse(text)).toEqual({ url: "/echo?a=1&b=x%20y", body: "c=2&d=%C3%BC" });
    expect(entry?.serverIPAddress).toBe("127.0.0.1");
    const { blocked = 0, connect = 0, wait = 0, receive = 0, ssl } = entry?.timings ?? {};
    expect(ssl).toBe(-1);
    expect(entry?.time).toBeCloseTo(
      [blocked, connect, wait, receive].reduce((sum, one) => sum + Math.max(one, 0), 0),
      1,
    );
    expect(wait).toBeGreaterThan(0);
    const started = Date.parse(entry?.startedDateTime ?? "");
    expect(started).toBeGreaterThanOrEqual(before);
    expect(started).toBeLessThanOrEqual(Date.now());
  });

  test("makes each hop of redirects, challenges and retries an entry with its own headers", async () => {
    const heads = (entries: readonly HarEntry[]) =>
      entries.map(({ request, response }) => [
        request.url.slice(base.length),
        response.status,
        request.headers.filter(({ name }) => /^(?:cookie|authorization)$/i.test(name)),
      ]);
    expect(heads(await recorded("GET {{base}}/to"))).toEqual([
      ["/to", 302, []],
      ["/echo?a=1", 200, [{ name: "Cookie", value: "sid=•••" }]],
    ]);
    const auth = { type: "digest", username: "ada", password: "hush-hush-digest" };
    const digest = (await recorded("GET {{base}}/digest", { auth, cookies: false })).slice(2);
    expect(heads(digest)).toEqual([
      ["/digest", 401, []],
      ["/digest", 200, [{ name: "Authorization", value: "Digest •••" }]],
    ]);
    const retry = { limit: 1, delay: 1 };
    const retried = (await recorded("GET {{base}}/flaky", { retry, cookies: false })).slice(4);
    expect(heads(retried)).toEqual([
      ["/flaky", 503, []],
      ["/flaky", 200, []],
    ]);
    const [first] = await recorded("GET {{base}}/none");
    expect(first?.response).toMatchObject({
      redirectURL: "/echo?a=1",
      cookies: [{ name: "sid", value: "•••", path: "/", httpOnly: true }],
    });
    expect(file.text()).not.toContain("hush-hush");
  });

  test("has the bodies of redirects, up to 64 KiB and without secrets", async () => {
    const [to, , long] = await recorded("GET {{base}}/to\n\n###\nGET {{base}}/long");
    expect(to?.response.content).toEqual({ size: 5, mimeType: "x-unknown", text: "moved" });
    const { size, text, comment } = long?.response.content ?? {};
    expect([size, text?.slice(0, 33), comment]).toEqual([
      65_536,
      '{"access_token":"•••","filler":"xx'.slice(0, 33),
      "Only the beginning of the body was recorded",
    ]);
    expect(file.text()).not.toContain("hush-hush");
    // A replay follows the redirects as well.
    const replaying = createClient({
      ...createReplay(readHar(file.text(), "lab.har")),
      fetch: refuse,
    });
    expect((await replaying.send(`GET ${base}/long`)).url).toBe(`${base}/echo`);
  });

  test("says that a body streamed from a file is missing, and a replay answers it", async () => {
    const path = join(makeFolder("har-streamed"), "large.bin");
    writeFileSync(path, Buffer.alloc(1_200_000, "a"));
    const [entry] = await recorded(`POST {{base}}/none\nContent-Type: text/plain\n\n< ${path}`);
    expect(entry?.request).toMatchObject({
      bodySize: 1_200_000,
      postData: { mimeType: "text/plain", text: "", comment: expect.stringContaining("streamed") },
    });
    const replaying = createClient({
      ...createReplay(readHar(file.text(), "lab.har")),
      fetch: refuse,
    });
    expect((await replaying.send(`POST ${base}/none\n\nanything`)).status).toBe(204);
  });

  test("writes text as text, and other bytes as base64", async () => {
    const contents = (
      await recorded(
        "GET {{base}}/png\n###\nGET {{base}}/latin\n###\nGET {{base}}/gzip\n###\nGET {{base}}/events\n###\nGET {{base}}/none",
      )
    ).map(({ response }) => response.content);
    expect(contents).toEqual([
      { size: 10, mimeType: "image/png", text: PNG.toString("base64"), encoding: "base64" },
      {
        size: 5,
        mimeType: "text/plain; charset=iso-8859-1",
        text: LATIN.toString("base64"),
        encoding: "base64",
      },
      { size: 1000, mimeType: "text/plain", text: "x".repeat(1000) },
      { size: 18, mimeType: "text/event-stream", text: "data: 1\n\ndata: 2\n\n" },
      { size: 0, mimeType: "x-unknown" },
    ]);
  });

  test("has no secret in it: variables, tokens, credentials, cookies", async () => {
    client.setVar("key", "very-secret-key-7", { secret: true });
    client.setVar("pin", "98761234", { secret: true });
    const entries = await recorded(
      [
        "# @name login\nPOST {{base}}/login?key={{key}}\nX-Key: {{key}}\n\n" +
          '{"user": "ada", "password": "hush-hush-pass", "note": "{{key}}"}',
        "GET {{base}}/whoami\nAuthorization: Bearer {{login.response.body.access_token}}",
        `GET ${base.replace("//", "//ada:hush-hush-url@")}/whoami`,
      ].join("\n\n###\n"),
    );
    const basic = Buffer.from("ada:hush-hush-url").toString("base64");
    for (const secret of ["very-secret", TOKEN, "hush-hush", "98761234", basic]) {
      expect(file.text()).not.toContain(secret);
    }
    const [login] = entries;
    expect(login?.request.url).toBe(`${base}/login?key={{key}}`);
    expect(login?.request.queryString).toEqual([{ name: "key", value: "{{key}}" }]);
    expect(JSON.parse(login?.request.postData?.text ?? "")).toEqual({
      user: "ada",
      password: "•••",
      note: "{{key}}",
    });
    // A masked number is a string: the body stays JSON.
    const answer = JSON.parse(login?.response.content.text ?? "");
    expect([answer.pin, answer.token_type]).toEqual(["{{pin}}", "bearer"]);
  });

  test("has the token requests of logins, too", async () => {
    const auth = {
      type: "oauth2",
      grant: "client_credentials",
      tokenEndpoint: `${base}/login`,
      clientId: "me",
      clientSecret: "hush-hush-client",
    } as const;
    const entries = await recorded("GET {{base}}/whoami", { auth });
    expect(entries.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
      `POST ${base}/login`,
      `GET ${base}/whoami`,
    ]);
    expect(entries[0]?.request.postData?.text).toContain("grant_type=client_credentials");
    expect(file.text()).not.toMatch(/hush-hush|tok-en/);
    expect(client.history).toHaveLength(1);
    const replay = createReplay(readHar(file.text(), "lab.har"));
    const replayed = await createClient(replay).send(`GET ${base}/whoami`, { auth });
    expect([replayed.text, replayed.warnings]).toEqual(["You are Bearer •••, undefined", []]);
  });

  test("returns the recorder that is running, which stop ends", async () => {
    const recorder = await client.record("lab.har");
    await client.extend({}).send("GET {{base}}/none");
    expect([recorder.path, recorder.count]).toEqual(["lab.har", 1]);
    recorder.stop();
    recorder.stop();
    await client.send("GET {{base}}/none");
    expect([recorder.count, file.state()]).toEqual([1, "committed"]);
    const second = await client.record("lab.har");
    recorder.stop();
    expect(await client.record("lab.har")).toBe(second);
  });

  test("fails clearly where no file can be written, and in stop where writing failed", async () => {
    await expect(createClient().record("x.har")).rejects.toThrow(
      'Cannot record to "x.har": this client cannot write files',
    );
    const full = (): never => {
      throw new Error("ENOSPC: no space left on device");
    };
    const opens = createClient({ openGrowingFile: full });
    await expect(opens.record("x.har")).rejects.toThrow('Cannot record to "x.har": ENOSPC');
    const { open } = file;
    const lab = createClient({
      openGrowingFile: async (...given) => ({ ...(await open(...given)), append: full }),
    });
    const recorder = await lab.record("x.har");
    expect((await lab.send(`GET ${base}/none`)).status).toBe(204);
    expect(() => recorder.stop()).toThrow('Recording to "x.har" failed: ENOSPC');
  });
});
