import { describe, expect, test } from "vitest";
import { createMatcher } from "../../lib/har/match.ts";
import type { RecordedEntry } from "../../lib/har/read-har.ts";
import { createClient, createReplay, type NoResponseError, readHar } from "../../lib/mod.ts";

const BASE = "http://api.test";
const entry = (text: string, answer: string, body?: string, mimeType = "application/json") => {
  const [method = "", url = ""] = text.split(" ");
  return {
    request: {
      method,
      url: url.startsWith("/") ? BASE + url : url,
      ...(body === undefined ? {} : { postData: { mimeType, text: body } }),
    },
    response: { status: 200, content: { text: answer } },
  };
};

function replaying(...entries: readonly unknown[]) {
  const recording = readHar(JSON.stringify({ log: { entries } }), "api.har");
  return createClient({ ...createReplay(recording), fetch: refuse });
}

const refuse: typeof fetch = () => {
  throw new Error("a replay sent something");
};

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const ID = ["0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"];
const form = (boundary: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}--\r\n`;

describe("a replay", () => {
  test.for([
    ["the same", "GET /a?b=1", "GET /a?b=1"],
    ["another fragment", "GET /a", "GET /a#top"],
    ["a masked query", "GET /a?key=•••&b=1", "GET /a?key=anything&b=1"],
    ["a placeholder", "GET /a?key={{token}}", "GET /a?key=s3cret%20x"],
    ["a masked path", "GET /a/•••/b", "GET /a/xyz/b"],
    ["a UUID", `GET /a/${ID[0]}`, `GET /a/${ID[1]}`],
    ["a date", "GET /a?on=2024-01-31", "GET /a?on=2025-12-01"],
    ["a time", "GET /a?at=2024-01-31T10:00:00.000Z", "GET /a?at=2025-01-31T11%3A00%3A00Z"],
    ["a timestamp", "GET /a?at=1700000000", "GET /a?at=1800000000"],
    ["another port of this machine", "GET http://127.0.0.1:1234/a", "GET http://127.0.0.1:4321/a"],
    ["an encoded URL", "GET /a?b=ü", "GET /a?b=%C3%BC"],
    ["a method in lower case", "get /a", "GET /a"],
  ])("answers a request that has %s", async ([, recorded = "", sent = ""]) => {
    const client = replaying(entry(recorded, "yes"));
    expect((await client.send(sent.replace(" /", ` ${BASE}/`))).text).toBe("yes");
  });

  test.for([
    ["the same text", "hello", "hello"],
    ["JSON with other white space and order", '{"a":1,"b":[1,2]}', '{ "b": [1, 2],\n "a": 1 }'],
    ["a masked member", '{"a":1,"password":"•••"}', '{"password":"hush-hush", "a":1}'],
    ["a masked name", '{"a":1,"•••":2,"z":3}', '{"a":1,"key":2,"z":3}'],
    ["a name with a placeholder", '{"a":1,"{{name}}":2,"z":3}', '{"a":1,"key":2,"z":3}'],
    [
      "UUIDs as names, in another order of the alphabet",
      `{"${ID[1]}":1,"${ID[0]}":2,"m":3}`,
      `{"${ID[0]}":1,"${ID[1]}":2,"m":3}`,
    ],
    [
      "another UUID and time",
      `{"id":"${ID[0]}","at":"2024-01-31T10:00:00.000Z"}`,
      `{"id":"${ID[1]}","at":"2025-02-01T00:00:00.123Z"}`,
    ],
  ])("answers a request whose body has %s", async ([, recorded = "", sent]) => {
    const client = replaying(entry("POST /a", "yes", recorded));
    expect((await client.send(`POST ${BASE}/a\n\n${sent}`)).text).toBe("yes");
  });

  test("answers a multipart form with another boundary, and bytes", async () => {
    const type = "multipart/form-data; boundary=one";
    const bytes = { mimeType: "", text: "AAH/", _encoding: "base64" };
    const client = replaying(entry("POST /form", "form", form("one"), type), {
      request: { method: "PUT", url: `${BASE}/bytes`, postData: bytes },
      response: { status: 200, content: { text: "/wD/", encoding: "base64" } },
    });
    const sent = await client
      .send({ method: "POST", url: `${BASE}/form`, form: { a: "1" } })
      .catch(() => undefined);
    const multipart =
      sent ?? (await client.send({ method: "POST", url: `${BASE}/form`, multipart: { a: "1" } }));
    expect(multipart.text).toBe("form");
    const body = new Uint8Array([0, 1, 255]);
    const answer = await client.send({ method: "PUT", url: `${BASE}/bytes`, body });
    expect([...answer.bytes]).toEqual([255, 0, 255]);
  });

  test("answers in the order of recording, and with the last one again after that", async () => {
    const client = replaying(entry("GET /n", "1"), entry("GET /m", "m"), entry("GET /n", "2"));
    const texts: string[] = [];
    for (const path of ["n", "n", "m", "n", "m"]) {
      texts.push((await client.send(`GET ${BASE}/${path}`)).text);
    }
    expect(texts).toEqual(["1", "2", "m", "2", "m"]);
  });

  test("lists what has answered nothing yet, WebSockets too", async () => {
    const socket = {
      request: { method: "GET", url: "ws://api.test/live" },
      response: { status: 101 },
      _webSocketMessages: [{ type: "receive", opcode: 1, data: "hello", time: 1 }],
    };
    const entries = [entry("GET /n", "1"), socket, entry("GET /n", "2"), entry("GET /m", "m")];
    const replay = createReplay(readHar(JSON.stringify({ log: { entries } }), "api.har"));
    const client = createClient(replay);
    const left = (): readonly string[] => replay.unused.map(({ method, url }) => method + url);
    expect(left()).toEqual([
      "GEThttp://api.test/n",
      "GETws://api.test/live",
      "GEThttp://api.test/n",
      "GEThttp://api.test/m",
    ]);
    await client.send(`GET ${BASE}/n`);
    await client.send(`GET ${BASE}/x`).catch(() => undefined);
    expect(replay.unused).toHaveLength(3);
    for (const path of ["n", "n", "m"]) await client.send(`GET ${BASE}/${path}`);
    expect(replay.unused).toEqual([{ method: "GET", url: "ws://api.test/live" }]);
    await client.websocket("ws://api.test/live");
    expect(replay.unused).toEqual([]);
  });

  test("prefers the same request to one that only has another date", async () => {
    const client = replaying(
      entry("GET /?on=2024-01-01", "one"),
      entry("GET /?on=2024-01-02", "two"),
    );
    expect((await client.send(`GET ${BASE}/?on=2024-01-02`)).text).toBe("two");
    expect((await client.send(`GET ${BASE}/?on=2024-01-01`)).text).toBe("one");
    expect((await client.send(`GET ${BASE}/?on=2024-01-02`)).text).toBe("two");
  });

  test("compares long numbers of a body digit for digit", async () => {
    const body = (id: string): string => `{"id":${id}}`;
    const client = replaying(
      entry("POST /", "two", body("9007199254740992")),
      entry("POST /", "three", body("9007199254740993")),
    );
    const sent = `POST ${BASE}/\n\n{ "id": 9007199254740993 }`;
    expect((await client.send(sent)).text).toBe("three");
  });

  test("has redirects, cookies, statuses and headers as they were recorded", async () => {
    const headers = (list: Readonly<Record<string, string>>) =>
      Object.entries(list).map(([name, value]) => ({ name, value }));
    const client = replaying(
      {
        request: { method: "GET", url: `${BASE}/to` },
        response: {
          status: 302,
          headers: headers({ location: "/in?a=•••", "Set-Cookie": "sid=•••; Path=/" }),
        },
      },
      {
        request: { method: "GET", url: `${BASE}/in?a=•••` },
        response: {
          status: 499,
          statusText: "Odd",
          headers: headers({ ":status": "499", "X-A": "ü" }),
          content: { text: "in" },
        },
      },
      { request: { method: "GET", url: `${BASE}/999` }, response: { status: 999, content: {} } },
      {
        request: { method: "GET", url: `${BASE}/204` },
        response: { status: 204, content: { text: "" } },
      },
    );
    const answer = await client.send(`GET ${BASE}/to`);
    expect([answer.status, answer.statusText, answer.text]).toEqual([499, "Odd", "in"]);
    expect(answer.redirects).toHaveLength(1);
    expect(answer.warnings).toEqual([]);
    expect(answer.hops.map(({ isReplayed }) => isReplayed)).toEqual([true, true]);
    expect(client.cookies.all().map(({ name }) => name)).toEqual(["sid"]);
    const seen: number[] = [];
    const afterResponse = (_request: unknown, _options: unknown, { status }: Response): void => {
      seen.push(status);
    };
    const ky = { hooks: { afterResponse: [afterResponse] } };
    expect((await client.send(`GET ${BASE}/999`, { ky })).status).toBe(999);
    expect(seen).toEqual([999]);
    expect((await client.send(`GET ${BASE}/204`)).text).toBe("");
  });

  test("decodes text of another charset, which a browser has saved decoded", async () => {
    const headers = [{ name: "Content-Type", value: "text/plain; charset=iso-8859-1" }];
    const client = replaying({
      request: { method: "GET", url: `${BASE}/` },
      response: { status: 200, headers, content: { text: "größe" } },
    });
    expect((await client.send(`GET ${BASE}/`)).text).toBe("größe");
  });

  test.for([
    [
      "GET /users?page=2",
      'The nearest recorded request is GET http://api.test/users without "page"\n',
    ],
    ["GET http://other.test/users", "is GET http://api.test/users of another server\n"],
    [
      'POST /users\n\n{"name":"Bob"}',
      "is POST http://api.test/users with another body, at $.tags\n",
    ],
    [
      'POST /users\n\n{"name":"Bob","tags":["a","b"],"password":"hunter2-mine"}',
      "is POST http://api.test/users with another body, at $.password\n",
    ],
    ["GET /accounts?page=2", 'is GET http://api.test/accounts?page=1 with another "page"\n'],
    ["GET /others", "Set the option sendMissing to send it\n"],
  ])("says what is nearest to %s", async ([sent = "", message]) => {
    const client = replaying(
      entry("GET /users", "[]"),
      entry("GET /users?page=1", "[]"),
      entry("POST /users", "{}", '{"name":"Bob","tags":["a","b"]}'),
      entry("GET /accounts?page=1", "[]"),
    );
    const error: NoResponseError = await client
      .send(sent.replace(" /", ` ${BASE}/`), { retry: 2 })
      .then(
        () => undefined,
        (thrown) => thrown,
      );
    expect(error.code).toBe("not-recorded");
    expect(error.message).toContain('it is not in the recording "api.har". ');
    expect(`${error.message}\n`).toContain(message);
    expect(error.message).not.toContain("hunter2");
  });

  test.for<[recorded: string, sent: string, difference: string]>([
    ["/a?b={}&x=1", "/a?x=1&b={}", "with its parameters in another order"],
    ["/a?b=1&b=2", "/a?b=2&b=1", "with its parameters in another order"],
    ["/a?q=x+y", "/a?q=x%20y", 'with "q=x+y" in place of "q=x%20y"'],
    ["/a?q=x%2By", "/a?q=x+y", 'with another "q"'],
    ["/a?b", "/a?b=", 'with "b" in place of "b="'],
    ["/a?b=&c", "/a?b&c=", 'with "b=" in place of "b", with "c" in place of "c="'],
    ["/a?q=%c3%bc", "/a?q=%C3%BC", 'with "q=%c3%bc" in place of "q=%C3%BC"'],
    ["/a?q=%7Eb", "/a?q=~b", 'with "q=%7Eb" in place of "q=~b"'],
    ["/a?", "/a", 'with "?" at its end'],
    ["/a", "/a?", 'without "?" at its end'],
    ["/a?b=1", "/a?b=1&b=1", 'without "b"'],
    ["/a?b=1&c=2", "/a", 'with "b", with "c"'],
    ["/a?b=1&c=2&d=•••", "/a?d=5&c=3", 'with "b", with another "c"'],
    ["/caf%c3%a9", "/caf%C3%A9", "whose path is written otherwise"],
    ["/a/", "/a", "whose path is written otherwise"],
    ["http://api.test:81/a", "/a", "of another server"],
    ["/a?at=2024-01-31&x=1", "/a?at=2025-01-31&x=2", 'with another "x"'],
  ])("says how %s differs from %s", async ([recorded, sent, difference]) => {
    const client = replaying(entry(`GET ${recorded}`, "no"));
    const url = BASE + sent;
    const shown = recorded.startsWith("/") ? BASE + recorded : recorded;
    await expect(client.send({ method: "GET", url })).rejects.toThrow(
      new RegExp(`is GET ${literal(shown)} ${literal(difference)}$`),
    );
  });

  test.for<[recorded: string | undefined, sent: string | undefined, difference: string]>([
    ['{"id":9007199254740993}', '{"id":9007199254740992}', "with another body, at $.id"],
    ['{"id":9007199254740993}', '{ "id": 9007199254740994 }', "with another body, at $.id"],
    ['{"n":[1,3.1415926535]}', '{"n":[1,3.1415926536]}', "with another body, at $.n[1]"],
    ['{"n":0.12345678901234567891}', '{"n":0.12345678901234567892}', "with another body, at $.n"],
    ["[17000000000000001]", "[17000000000000002]", "with another body, at $[0]"],
    [
      '{"id":9007199254740993,"k":"•••"}',
      '{"id":9007199254740992,"k":"x"}',
      "with another body, at $.id",
    ],
    ['{"id":9007199254740993}', '{"id":"9007199254740993"}', "with another body, at $.id"],
    [
      '{"at":"2024-01-31","a":{"b":1}}',
      '{"at":"2025-01-31","a":{"c":1}}',
      "with another body, at $.a.b",
    ],
    ["text", "other", "with another body"],
    ["text", undefined, "with a body"],
    [undefined, "text", "without a body"],
  ])("says how the body %s differs from %s", async ([recorded, body, difference]) => {
    const client = replaying(entry("POST /a", "no", recorded));
    await expect(client.send({ method: "POST", url: `${BASE}/a`, body })).rejects.toThrow(
      new RegExp(`is POST http://api.test/a ${literal(difference)}$`),
    );
  });

  test("the nearest request is that with the fewest differences", async () => {
    const entries = ["/a?x=1&y=2", "/a?y=2&z=4", "/b"].map((url) => entry(`GET ${url}`, "no"));
    await expect(replaying(...entries).send(`GET ${BASE}/a?y=2&z=3`)).rejects.toThrow(
      'is GET http://api.test/a?y=2&z=4 with another "z"',
    );
  });

  test("a text of a response is replayed, also one that a browser has decoded", async () => {
    const latin = "caf\u00e9";
    const utf8 = "caf\u00c3\u00a9";
    const headers = [latin, utf8, "日本"].map((value, at) => ({ name: `X-${at}`, value }));
    const client = replaying({
      request: { method: "GET", url: `${BASE}/` },
      response: { status: 200, statusText: latin, headers, content: { text: "" } },
    });
    const answer = await client.send(`GET ${BASE}/`);
    const found = [0, 1, 2].map((at) => answer.headers.get(`x-${at}`));
    expect([...found, answer.statusText]).toEqual([latin, latin, "日本", latin]);
  });

  test("fails where the recording has no response, or not its body", async () => {
    const client = replaying(
      {
        request: { method: "GET", url: `${BASE}/0` },
        response: { status: 0, _error: "net::ERR_FAILED" },
      },
      {
        request: { method: "GET", url: `${BASE}/1` },
        response: { status: 200, content: { size: 7 } },
      },
    );
    await expect(client.send(`GET ${BASE}/0`)).rejects.toThrow(
      'got no response: it got none when "api.har" was recorded (net::ERR_FAILED)',
    );
    await expect(client.send(`GET ${BASE}/1`)).rejects.toThrow('"api.har" has it without its body');
    await expect(replaying().send(`GET ${BASE}/1`)).rejects.toThrow("has no requests of this kind");
    await expect(client.websocket("ws://api.test/")).rejects.toThrow(
      "has no requests of this kind",
    );
  });

  test("answers whatever fetch the options name", async () => {
    const client = replaying(entry("GET /", "yes"));
    const connection = { proxy: "http://127.0.0.1:9", ca: "./missing.pem" };
    expect((await client.send(`GET ${BASE}/`, { connection, ky: { fetch: refuse } })).text).toBe(
      "yes",
    );
    expect((await client.extend({ fetch: refuse }).send(`GET ${BASE}/`)).text).toBe("yes");
    expect((await client.send(`GET ${BASE}/`, { cookies: false })).text).toBe("yes");
  });
});

describe("a long recording", () => {
  const COUNT = 2_000;
  /** Requests of which as many are alike as asked, and how often a body of them was looked at. */
  function recorded(urlOf: (at: number) => string, bodyOf: (at: number) => string) {
    let looks = 0;
    const entries = Array.from(
      { length: COUNT },
      (_, at): RecordedEntry => ({
        method: "POST",
        url: BASE + urlOf(at),
        get body() {
          looks += 1;
          return { kind: "text" as const, text: bodyOf(at), contentType: "application/json" };
        },
        response: {
          status: 200,
          statusText: "",
          headers: [],
          content: { isBase64: false, size: 0 },
        },
      }),
    );
    return { entries, looks: () => looks };
  }

  test.each([
    ["other URLs", (at: number) => `/${at}`, () => "{}"],
    ["other bodies", () => "/", (at: number) => `{"at": ${at}}`],
    ["nothing else", () => "/", () => "{}"],
    [
      "other dates",
      (at: number) => `/?on=20${10 + (at % 80)}-01-01`,
      (at: number) => `{"a": ${at}}`,
    ],
  ])("of requests with %s is read once", (_, urlOf, bodyOf) => {
    const { entries, looks } = recorded(urlOf, bodyOf);
    const matcher = createMatcher(entries);
    const found = entries.map(({ method, url }, at) =>
      matcher.find({
        method,
        url,
        body: new TextEncoder().encode(bodyOf(at)),
        contentType: "application/json",
        contentEncoding: "",
      }),
    );
    expect(found.map((one) => entries.indexOf(one as RecordedEntry))).toEqual([...entries.keys()]);
    expect(looks()).toBe(COUNT);
  });

  test("takes what is masked and what is not in the order of recording", async () => {
    const client = replaying(
      entry("POST /", "first", '{"a": 1, "pin": "•••"}'),
      entry("POST /", "second", '{"a": 1, "pin": 1234}'),
      entry("POST /", "third", '{"a": 1, "pin": "•••"}'),
    );
    const send = async (): Promise<string> =>
      (await client.send(`POST ${BASE}/\n\n{"a": 1, "pin": 1234}`)).text;
    expect([await send(), await send(), await send(), await send()]).toEqual([
      "first",
      "second",
      "third",
      "third",
    ]);
  });
});
