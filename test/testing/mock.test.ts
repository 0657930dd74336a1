import { describe, expect, test } from "vitest";
import { createClient, createMock, type MockRoute, type NoResponseError } from "../../lib/mod.ts";

const BASE = "http://api.test";

function mocked(...routes: readonly MockRoute[]) {
  const mock = createMock(routes);
  return { mock, client: createClient({ fetch: mock.fetch }) };
}

const url = (given: MockRoute["url"], method?: string): MockRoute => ({
  ...(method !== undefined && { method }),
  url: given,
  response: { text: "yes" },
});

const failureOf = async (sending: Promise<unknown>): Promise<NoResponseError> => {
  return await sending.then(
    () => expect.unreachable("it was answered"),
    (error: NoResponseError) => error,
  );
};

describe("a route", () => {
  test.for<[string, MockRoute, string]>([
    ["a URL", url("http://api.test/a"), "GET http://api.test/a"],
    ["a URL object", url(new URL("http://api.test/a")), "GET http://api.test/a"],
    ["a path of any server", url("/a"), "GET https://other.test/a"],
    ["any query, if none is written", url("/a"), "GET http://api.test/a?b=1&c=2"],
    ["the same query in another order", url("/a?c=2&b=1"), "GET http://api.test/a?b=1&c=2"],
    ["the same query, encoded otherwise", url("/a?b=1 2"), "GET http://api.test/a?b=1%202"],
    ["a fragment", url("/a"), "GET http://api.test/a#top"],
    ["a pattern", url(/\/a$/), "GET http://api.test/x/a#top"],
    ["a global pattern", url(/\/a/g), "GET http://api.test/a"],
    ["a function", url(({ hostname }) => hostname === "api.test"), "GET http://api.test/"],
    ["any method", url("/a"), "DELETE http://api.test/a"],
    ["a method in lower case", url("/a", "post"), "POST http://api.test/a"],
    ["a rare method", url("/a", "PURGE"), "PURGE http://api.test/a"],
  ])("matches %s", async ([, route, text]) => {
    const { client, mock } = mocked(route);
    for (let i = 0; i < 2; i++) expect((await client.send(text)).text).toBe("yes");
    expect(mock.unused).toEqual([]);
    expect(mock.calls[0]?.route).toBe(route);
  });

  test.for<[string, MockRoute[], string, string]>([
    ["no routes", [], "GET /a", "It has no routes"],
    [
      "another method",
      [url("/b"), url("/a", "post")],
      "GET /a",
      "The nearest is routes[1] (POST /a), with another method",
    ],
    [
      "another server and query",
      [url("http://x.test/a?b=1", "GET")],
      "GET /a?b=2",
      "The nearest is routes[0] (GET http://x.test/a?b=1), with another server and query",
    ],
    [
      "a parameter that is not written",
      [url("/a?b=1")],
      "GET /a?b=1&b=1",
      "The nearest is routes[0] (any method /a?b=1), with another query",
    ],
    [
      "a path that is near",
      [url("/orders"), url("/users/1")],
      "GET /user/1",
      "The nearest is routes[1] (any method /users/1), with another path",
    ],
    [
      "nothing alike",
      [url("/orders", "GET"), url(/x$/), url(() => false)],
      "GET /users",
      "It has routes[0] (GET /orders), routes[1] (any method /x$/), routes[2] (any method function)",
    ],
    [
      "many routes",
      Array.from({ length: 12 }, (_, at) => url(`/long-${at}-${"x".repeat(at)}`)),
      "GET /q",
      "routes[9] (any method /long-9-xxxxxxxxx), …",
    ],
  ])("does not match with %s", async ([, routes, text, advice]) => {
    const { client, mock } = mocked(...routes);
    const error = await failureOf(client.send(text.replace(" /", ` ${BASE}/`)));
    expect([error.name, error.code]).toEqual(["NoResponseError", "not-mocked"]);
    expect(error.message).toContain(`" got no response: no route of the mock matches it. `);
    expect(error.message.endsWith(advice), error.message).toBe(true);
    expect(mock.calls.map(({ route }) => route)).toEqual([undefined]);
    expect(mock.unused).toEqual(routes);
  });

  test.for<[string, unknown, string]>([
    ["no list", "a", "createMock takes a list of routes"],
    ["no object", [undefined], "routes[0] is undefined: write an object"],
    [
      "a misspelt member",
      [url("/a"), { url: "/b", respnse: {} }],
      '"respnse" is not an option of routes[1]: did you mean "response"?',
    ],
    ["a method that is none", [{ ...url("/a"), method: 1 }], "routes[0].method is 1: write a text"],
    [
      "a path without its slash",
      [url("users/1")],
      'routes[0].url is "users/1": write a URL, a path',
    ],
    ["no url", [{ response: {} }], "routes[0].url is undefined"],
    ["no response", [{ url: "/a" }], "routes[0].response is undefined: write an object"],
    ["a text as response", [{ url: "/a", response: "yes" }], 'routes[0].response is "yes"'],
    [
      "a misspelt member of a response",
      [{ url: "/a", response: { stats: 404 } }],
      '"stats" is not an option of routes[0].response: did you mean "status"?',
    ],
    [
      "several bodies",
      [{ url: "/a", response: { json: 1, text: "" } }],
      "routes[0].response has several bodies",
    ],
    ["no status", [{ url: "/a", response: { status: 20 } }], "routes[0].response cannot be used: "],
    [
      "a body where there can be none",
      [{ url: "/a", response: { status: 204, text: "a" } }],
      "routes[0].response cannot be used: ",
    ],
    [
      "a bad header",
      [{ url: "/a", response: { headers: { "a b": "" } } }],
      "routes[0].response cannot be used: ",
    ],
  ])("is an error with %s", ([, routes, message]) => {
    const create = (): unknown => createMock(routes as readonly MockRoute[]);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });
});

describe("a mock", () => {
  test.for<[string, MockRoute["response"], readonly [number, string, string | null]]>([
    ["nothing", {}, [200, "", null]],
    [
      "JSON",
      { json: { id: 9007199254740993n } },
      [200, '{"id":9007199254740993}', "application/json"],
    ],
    ["null as JSON", { json: null }, [200, "null", "application/json"]],
    [
      "JSON of a type",
      { json: {}, headers: { "Content-Type": "a/b+json" } },
      [200, "{}", "a/b+json"],
    ],
    ["a text", { status: 404, text: "no" }, [404, "no", "text/plain;charset=UTF-8"]],
    ["bytes", { body: new Uint8Array([97]) }, [200, "a", null]],
    ["a stream", { body: new Blob(["a"]).stream() }, [200, "a", null]],
    ["a Response", new Response("b", { status: 201 }), [201, "b", "text/plain;charset=UTF-8"]],
    ["what a function returns", () => ({ status: 204 }), [204, "", null]],
    [
      "what a function promises",
      async ({ url }) => new Response(url),
      [200, `${BASE}/a`, "text/plain;charset=UTF-8"],
    ],
  ])("answers %s, again and again", async ([, response, wanted]) => {
    const { client } = mocked({ url: "/a", response });
    for (let i = 0; i < 2; i++) {
      const { status, text, headers, hops } = await client.send(`GET ${BASE}/a`);
      expect([status, text, headers.get("content-type")]).toEqual(wanted);
      expect(hops.map(({ isReplayed }) => isReplayed)).toEqual([true]);
    }
  });

  test.for<[string, MockRoute["response"], string, string]>([
    [
      "an error",
      new Error("no more"),
      "unreachable",
      "the fetch of this client has thrown, no more",
    ],
    ["an error of the network", new Error("ECONNREFUSED"), "refused", "the connection was refused"],
    [
      "a function that throws",
      () => {
        throw new Error("no more");
      },
      "unreachable",
      "no more",
    ],
    ["a function that returns an error", () => new Error("no more"), "unreachable", "no more"],
    [
      "a function that returns nothing",
      (() => undefined) as never,
      "unreachable",
      "What routes[0].response returns is undefined",
    ],
    ["a response that is an error", Response.error(), "unreachable", "Response.error()"],
  ])("fails with %s", async ([, response, code, reason]) => {
    const { client } = mocked({ url: "/a", response });
    const error = await failureOf(client.send(`GET ${BASE}/a`));
    expect(error.code).toBe(code);
    expect(error.reason).toContain(reason);
  });

  test("lists what it was called with, and forgets it", async () => {
    const { client, mock } = mocked(url("/a"), url("/b"));
    await client.send(`POST ${BASE}/a?b=1\nX-Id: 7\nContent-Type: application/json\n\n{"id": 1}`);
    await client.send({ method: "PUT", url: `${BASE}/a`, json: { id: 2 } });
    expect(mock.calls).toMatchObject([
      { method: "POST", url: `${BASE}/a?b=1`, headers: { "x-id": "7" }, body: '{"id": 1}' },
      { method: "PUT", headers: { "content-type": "application/json" }, body: '{"id":2}' },
    ]);
    expect(mock.unused.map((route) => route.url)).toEqual(["/b"]);
    mock.reset();
    expect([mock.calls, mock.unused.length]).toEqual([[], 2]);
  });

  test("hands a function the body that it has listed", async () => {
    const { client, mock } = mocked({
      url: "/a",
      response: async (request) => ({ body: new Uint8Array(await request.arrayBuffer()) }),
    });
    const body = new Blob(["a".repeat(100)]);
    expect((await client.send({ method: "POST", url: `${BASE}/a`, body })).text).toHaveLength(100);
    expect(mock.calls[0]?.body).toHaveLength(100);
  });

  test("is a fetch like any other", async () => {
    const { fetch } = createMock([url("/a")]);
    expect(await (await fetch(new Request(`${BASE}/a`))).text()).toBe("yes");
    expect(await (await fetch(new URL(`${BASE}/a`), { method: "PUT", body: "x" })).text()).toBe(
      "yes",
    );
    await expect(fetch(`${BASE}/b`)).rejects.toThrow(
      "no route of the mock matches it. The nearest is routes[0] (any method /a), with another path",
    );
    await expect(fetch(`${BASE}/a`, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  test("answers with routes of the same URL one after the other, in its first route that matches", async () => {
    const { client, mock } = mocked(
      { method: "GET", url: "/n", response: { text: "1" } },
      { url: /./, response: { text: "any" } },
      { method: "get", url: "/n", response: { text: "2" } },
    );
    const texts: string[] = [];
    for (const path of ["n", "n", "m", "n"])
      texts.push((await client.send(`GET ${BASE}/${path}`)).text);
    expect(texts).toEqual(["1", "2", "any", "2"]);
    mock.reset();
    expect((await client.send(`GET ${BASE}/n`)).text).toBe("1");
  });

  test("is redirected, retried and asked by many", async () => {
    const { client, mock } = mocked(
      { url: "/old", response: { status: 302, headers: { Location: "/new" } } },
      { url: "/new", response: { status: 503 } },
      { url: "/new", response: { json: [1] } },
    );
    const { json, redirects } = await client.send(`GET ${BASE}/old`, {
      retry: { limit: 1, delay: 1 },
    });
    expect([json, redirects.map(({ status }) => status)]).toEqual([[1], [302]]);
    expect(mock.calls.map((call) => call.url.slice(BASE.length))).toEqual([
      "/old",
      "/new",
      "/old",
      "/new",
    ]);
    expect(mock.unused).toEqual([]);
    const many = await client.all([1, 2, 3].map((id) => `GET ${BASE}/new?id=${id}`));
    expect(many.exchanges.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(mock.calls.slice(4).map((call) => call.url.at(-1))).toEqual(["1", "2", "3"]);
  });

  test("streams", async () => {
    const events = "data: 1\n\ndata: 2\n\n";
    const headers = { "Content-Type": "text/event-stream" };
    const { client } = mocked({ url: "/live", response: { text: events, headers } });
    const data: unknown[] = [];
    for await (const item of await client.stream(`GET ${BASE}/live`))
      data.push("data" in item && item.data);
    expect(data).toEqual(["1", "2"]);
  });

  test("does not hold a request whose time is over", async () => {
    const { client } = mocked({ url: "/a", response: () => new Promise(() => undefined) });
    const error = await failureOf(client.send(`GET ${BASE}/a`, { timeout: 20 }));
    expect(error.code).toBe("timed-out");
  });

  test("is sent a secret, which no message shows", async () => {
    const { client, mock } = mocked(url("/a"));
    client.setVar("token", "hush-hush-42", { secret: true });
    const error = await failureOf(client.send(`GET ${BASE}/b/{{token}}\nX-Token: {{token}}`));
    expect(`${error} ${error.cause}`).not.toContain("hush-hush");
    expect(mock.calls[0]?.headers["x-token"]).toBe("hush-hush-42");
  });
});
