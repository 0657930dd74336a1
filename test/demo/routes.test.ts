import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createUsersApi } from "../../kernel/demo/api.ts";
import { ask, createApi, type Expected } from "./request.ts";

type Case = [line: string, headers: Record<string, string>, expected: Expected];

const answers: Case[] = [
  ["OPTIONS /users", {}, { status: 204, headers: { Allow: "GET, HEAD, POST, OPTIONS" } }],
  [
    "OPTIONS /users/1",
    {},
    {
      status: 204,
      headers: {
        Allow: "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
        "Accept-Patch": "application/merge-patch+json, application/json",
      },
    },
  ],
  ["DELETE /users", {}, { status: 405, headers: { Allow: "GET, HEAD, POST, OPTIONS" } }],
  ["POST /users/1", {}, { status: 405 }],
  ["LINK /image.png", {}, { status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } }],
  ["GET /nowhere", {}, { status: 404, body: { status: 404, title: "Not Found" } }],
  ["GET /users/", {}, { status: 404 }],

  ["GET /secure", {}, { status: 401, body: { missing: ["X-API-Key", "X-Secret"] } }],
  ["GET /secure", { "X-API-Key": "k" }, { status: 401, body: { missing: ["X-Secret"] } }],
  [
    "GET /secure",
    { "X-API-Key": "k", "X-Secret": " " },
    {
      status: 401,
      headers: { "WWW-Authenticate": 'ApiKey realm="restlab demo"' },
    },
  ],
  ["GET /secure", { "X-API-Key": "k", "X-Secret": "s" }, { status: 200 }],
  ["GET /basic", {}, { status: 401 }],
  ["GET /basic", { Authorization: "Basic ???" }, { status: 401 }],
  ["GET /basic", { Authorization: `Basic ${btoa("nocolon")}` }, { status: 401 }],
  [
    "GET /basic",
    { Authorization: `basic ${btoa("ada:secret")}` },
    {
      status: 200,
      body: { user: "ada" },
    },
  ],
  ["GET /bearer", { Authorization: "Basic x" }, { status: 401 }],
  ["GET /bearer", { Authorization: "Bearer " }, { status: 401 }],
  ["GET /bearer", { Authorization: "Bearer token" }, { status: 200 }],

  ["GET /digest", {}, { status: 401 }],
  ["GET /digest", { Authorization: "Basic x" }, { status: 401 }],
  ["GET /digest", { Authorization: 'Digest username="ada"' }, { status: 401 }],
  ["POST /oauth/token", {}, { status: 401, body: { error: "invalid_client" } }],
  [
    "POST /oauth/token",
    { Authorization: `Basic ${btoa("lab:x")}` },
    { status: 400, body: { error: "unsupported_grant_type" } },
  ],
  ["POST /oauth/revoke", {}, { status: 401, body: { error: "invalid_client" } }],
  [
    "POST /oauth/revoke",
    { Authorization: `Basic ${btoa("lab:x")}` },
    { status: 200, body: { revoked: true } },
  ],
  [
    "GET /oauth/me",
    {},
    { status: 401, headers: { "WWW-Authenticate": 'Bearer realm="restlab demo"' } },
  ],
  ["GET /oauth/me", { Authorization: "Bearer unknown" }, { status: 401 }],
  ["GET /socket", {}, { status: 426, headers: { Upgrade: "websocket" } }],

  ["GET /status/200", {}, { status: 200, body: { status: 200, title: "OK" } }],
  ["PATCH /status/201", {}, { status: 201, headers: { Location: "/users/1" } }],
  ["GET /status/301", {}, { status: 301, headers: { Location: "/users/1" } }],
  ["GET /status/418", {}, { status: 418, body: { title: "I'm a Teapot" } }],
  ["GET /status/503", {}, { status: 503, headers: { "Retry-After": "1" } }],
  ["GET /status/599", {}, { status: 599, body: { title: "Unassigned" } }],
  ["GET /status/100", {}, { status: 400 }],
  ["GET /status/600", {}, { status: 400 }],
  ["GET /status/0200", {}, { status: 400 }],
  ["GET /status/two", {}, { status: 400 }],

  ["GET /redirect/3", {}, { status: 302, headers: { Location: "/redirect/2" } }],
  [
    "POST /redirect/2?status=307",
    {},
    {
      status: 307,
      headers: { Location: "/redirect/1?status=307" },
    },
  ],
  ["PUT /redirect/0", {}, { status: 200, body: { arrived: true, method: "PUT" } }],
  ["GET /redirect/101", {}, { status: 400 }],
  ["GET /redirect/-1", {}, { status: 400 }],
  ["GET /redirect/2?status=304", {}, { status: 400 }],
  ["GET /slow?ms=0", {}, { status: 200, body: { waited: 0 } }],
  ["GET /slow?ms=60001", {}, { status: 400 }],
  ["GET /slow?ms=soon", {}, { status: 400 }],
  ["GET /events?count=many", {}, { status: 400 }],
  [
    "GET /ndjson?count=2&ms=0",
    {},
    { status: 200, headers: { "content-type": "application/x-ndjson" } },
  ],
  ["GET /chunks?ms=10001", {}, { status: 400 }],
  ["GET /listing?rows=1000001", {}, { status: 400 }],
];

describe("routes", () => {
  test.each(answers)("%s with %j", async (line, headers, expected) => {
    const answer = await ask(createApi(), line, undefined, headers);
    expect(answer.status).toBe(expected.status);
    for (const [name, value] of Object.entries(expected.headers ?? {})) {
      expect([name, answer.headers.get(name)]).toEqual([name, value]);
    }
    if (expected.body) expect(await answer.json()).toMatchObject(expected.body);
  });

  test("every status from 200 to 599 is sent, with a reason", async () => {
    const api = createApi();
    for (let status = 200; status < 600; status++) {
      const answer = await ask(api, `GET /status/${status}`);
      expect([answer.status, answer.statusText !== ""]).toEqual([status, true]);
      const text = await answer.text();
      if ([204, 205, 304].includes(status)) expect(text).toBe("");
      else expect(JSON.parse(text).status).toBe(status);
    }
  });

  test("credentials are never shown", async () => {
    const headers = { "X-API-Key": "swordfish", Authorization: "Basic c3dvcmRmaXNo" };
    for (const path of ["/secure", "/basic", "/bearer"]) {
      const answer = await ask(createApi(), `GET ${path}`, undefined, headers);
      const all = JSON.stringify([...answer.headers]) + (await answer.text());
      expect(all).not.toMatch(/swordfish|c3dvcmRmaXNo/);
    }
  });

  test("a token expires by the clock; a client may authenticate by form", async () => {
    let time = Date.UTC(2026, 0, 2);
    const api = createUsersApi({ now: () => new Date(time) });
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const fields = "grant_type=client_credentials&client_id=lab&client_secret=x";
    const given = await ask(api, "POST /oauth/token", fields, form);
    expect(given.headers.get("Cache-Control")).toBe("no-store");
    const { access_token: token, ...rest } = await given.json();
    expect(rest).toEqual({ token_type: "Bearer", expires_in: 600, scope: "read" });
    const headers = { Authorization: `Bearer ${token}` };
    const who = await ask(api, "GET /oauth/me", undefined, headers);
    expect(await who.json()).toMatchObject({
      client: "lab",
      expiresAt: "2026-01-02T00:10:00.000Z",
    });
    time += 600_000;
    expect((await ask(api, "GET /oauth/me", undefined, headers)).status).toBe(401);
  });

  test("a digest that was used before, or is for another path, gets a new challenge", async () => {
    const api = createApi();
    const { headers } = await ask(api, "GET /digest");
    const [, nonce = ""] = /nonce="([^"]+)"/.exec(headers.get("WWW-Authenticate") ?? "") ?? [];
    const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
    const response = hash(
      `${hash("ada:restlab demo:correct-horse-42")}:${nonce}:00000001:c:auth:${hash("GET:/digest")}`,
    );
    const Authorization = `Digest username="ada", nonce="${nonce}", uri="/digest", nc=00000001, cnonce="c", qop=auth, response="${response}"`;
    const send = async (path: string): Promise<readonly [number, boolean]> => {
      const answer = await ask(api, `GET ${path}`, undefined, { Authorization });
      const isStale = answer.headers.get("WWW-Authenticate")?.includes("stale=true") ?? false;
      return [answer.status, isStale];
    };
    expect(await send("/digest?a=1")).toEqual([401, false]);
    expect(await send("/digest")).toEqual([200, false]);
    expect(await send("/digest")).toEqual([401, true]);
  });

  test("streams arrive in chunks and end when the client disconnects", async () => {
    const texts = await Promise.all(
      ["/events?count=2&ms=0", "/ndjson?count=2&ms=0", "/chunks?ms=0"].map(async (path) =>
        (await createApi().request(path)).text(),
      ),
    );
    expect(texts).toEqual([
      'event: tick\nid: 1\ndata: {"n":1,"left":"!"}\n\nevent: tick\nid: 2\ndata: {"n":2,"left":"!!"}\n\n',
      '{"n":1,"square":1,"even":false}\n{"n":2,"square":4,"even":true}\n',
      "What begins as a word becomes a sentence, piece by piece, while it is being read.",
    ]);
    const reader = (await createApi().request("/events?count=3&ms=10000")).body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });

  test("/slow ends when the client disconnects", async () => {
    const leaving = new AbortController();
    const answer = createApi().request("/slow?ms=60000", { signal: leaving.signal });
    leaving.abort();
    expect((await answer).status).toBe(503);
  });

  test("/ describes every route", async () => {
    const { routes } = await (await ask(createApi(), "GET /")).json();
    const paths = routes.map((route: { path: string }) => route.path);
    expect(paths).toEqual(expect.arrayContaining(["/users", "/users/{id}", "/status/{code}"]));
    for (const { example } of routes) {
      if (!example) continue;
      const { status } = await ask(createApi(), `GET ${example}`);
      expect([example, status]).not.toEqual([example, 404]);
      expect([example, status]).not.toEqual([example, 400]);
    }
  });
});

describe("/echo", () => {
  test("shows what it received", async () => {
    const answer = await ask(createApi(), "REPORT /echo/a%20b?x=1&x=2&y=", "{}", {
      "X-Name": "Ada",
      "Content-Type": "text/plain",
    });
    expect(await answer.json()).toEqual({
      method: "REPORT",
      url: "http://localhost/echo/a%20b?x=1&x=2&y=",
      path: "/echo/a%20b",
      query: { x: ["1", "2"], y: "" },
      headers: { "content-type": "text/plain", "x-name": "Ada" },
      size: 2,
      body: "{}",
      json: {},
    });
  });

  test("keeps every digit of JSON, whatever else the body holds", async () => {
    const body = '{"n": 12345678901234567890, "m": 1.10, "s": "\\u00e9 $& $1"}';
    const text = await (await ask(createApi(), "POST /echo", body)).text();
    expect(text.endsWith(`,"json":${body}}`)).toBe(true);
    expect(JSON.parse(text).body).toBe(body);
  });

  test("bytes that are not text are returned as base64", async () => {
    const answer = await createApi().request("/echo", {
      method: "PUT",
      body: new Uint8Array([255, 0, 254]),
    });
    expect(await answer.json()).toMatchObject({ size: 3, body: null, base64: "/wD+" });
  });

  test("a name such as __proto__ has no special meaning", async () => {
    const answer = await ask(createApi(), "GET /echo?__proto__=x");
    expect(await answer.text()).toContain('"query":{"__proto__":"x"}');
  });
});

describe("samples", () => {
  test.each([
    ["/text", "text/plain; charset=utf-8", "Ada wrote"],
    ["/html", "text/html; charset=utf-8", "<h1>Users</h1>"],
    ["/xml", "application/xml", '<user id="1">'],
    ["/csv", "text/csv; charset=utf-8", '"Say ""yes"""'],
    ["/image.svg", "image/svg+xml", "<svg xmlns"],
    ["/malformed", "application/json", '"math",'],
    ["/number", "application/json", "12345678901234567890"],
    ["/empty", null, ""],
  ])("%s is %s", async (path, type, part) => {
    const answer = await ask(createApi(), `GET ${path}`);
    expect(answer.headers.get("Content-Type")).toBe(type);
    expect(await answer.text()).toContain(part);
  });

  test("/latin1 is not UTF-8", async () => {
    const bytes = new Uint8Array(await (await ask(createApi(), "GET /latin1")).arrayBuffer());
    expect(new TextDecoder("latin1").decode(bytes)).toBe("Crème brûlée, déjà vu\n");
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow(TypeError);
  });

  test("/binary contains every byte", async () => {
    const bytes = new Uint8Array(await (await ask(createApi(), "GET /binary")).arrayBuffer());
    expect([...bytes]).toEqual(Array.from({ length: 256 }, (_, index) => index));
  });

  test("/image.png is a PNG of the size in its header", async () => {
    const bytes = Buffer.from(await (await ask(createApi(), "GET /image.png")).arrayBuffer());
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    const length = bytes.readUInt32BE(33);
    expect(bytes.subarray(37, 41).toString()).toBe("IDAT");
    const pixels = inflateSync(bytes.subarray(41, 41 + length));
    expect(pixels).toHaveLength(height * (width * 3 + 1));
    expect(new Set(pixels).size).toBeGreaterThan(4);
  });

  test.each([0, 1, 499, 500, 501, 12_345])(
    "/listing has %i rows, each time the same",
    async (rows) => {
      const [one, other] = [
        await (await ask(createApi(), `GET /listing?rows=${rows}`)).text(),
        await (await ask(createApi(), `GET /listing?rows=${rows}`)).text(),
      ];
      expect(one).toBe(other);
      const listed = JSON.parse(one) as { id: number }[];
      expect(listed.map(({ id }) => id)).toEqual(Array.from({ length: rows }, (_, i) => i + 1));
    },
  );
});
