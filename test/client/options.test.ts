import { describe, expect, test } from "vitest";
import { type Client, createClient, type RequestSpec, type SendOptions } from "../../lib/mod.ts";

const answer = async (): Promise<Response> => Response.json({ ok: true });
const client = createClient({ fetch: answer });
const URL_OF = "GET http://api.test/";

/** Names that no option has, and what is said. */
const UNKNOWN: readonly (readonly [string, () => unknown, string])[] = [
  ["a client", () => createClient({ timeot: 5 } as object), 'did you mean "timeout"?'],
  [
    "another library's",
    () => createClient({ prefixUrl: "x" } as object),
    'did you mean "baseUrl"?',
  ],
  ["extend", () => client.extend({ heders: {} } as object), 'did you mean "headers"?'],
  ["send", () => client.send(URL_OF, { timeuot: 5 } as object), 'did you mean "timeout"?'],
  ["of ky", () => client.send(URL_OF, { searchParams: {} } as object), 'did you mean "query"?'],
  ["of axios", () => client.send(URL_OF, { data: {} } as object), 'did you mean "json"?'],
  ["no near one", () => client.send(URL_OF, { zzzzzz: 1 } as object), "they are "],
  ["data", () => client.send({ url: "http://api.test" }, { jsn: 1 } as object), '"json"?'],
  ["stream", () => client.stream(URL_OF, { keepbytes: 5 } as object), '"keepBytes"?'],
  ["paginate", () => client.paginate(URL_OF, "link", { maxpages: 5 } as object), '"maxPages"?'],
  ["all", () => client.all([URL_OF], { concurency: 5 } as object), '"concurrency"?'],
  ["render", () => client.render(URL_OF, { mising: "keep" } as object), '"missing"?'],
  ["setVar", () => client.setVar("a", 1, { secrt: true } as object), '"secret"?'],
  ["no object", () => client.send(URL_OF, "json" as never), "it is not an object"],
  ["a fetch", () => createClient({ fetch: "x" as never }), "Cannot use x as fetch"],
];

const said = async (action: () => unknown): Promise<string> => {
  try {
    await action();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "nothing";
};

describe("options", () => {
  test.each(UNKNOWN)("that are unknown are refused: %s", async (_name, action, message) => {
    expect(await said(action)).toMatch(/^TypeError: /);
    expect(await said(action)).toContain(message);
  });

  test("that are undefined are not given", async () => {
    const none = { timeout: undefined, headers: undefined, timeot: undefined };
    expect((await createClient({ ...none, fetch: answer }).send(URL_OF, none)).status).toBe(200);
  });
});

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What a request is sent as. */
async function sentBy(send: (client: Client) => Promise<unknown>, options = {}): Promise<Sent> {
  let sent: Sent | undefined;
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const request = input as Request;
    const { url, method, headers } = request;
    sent = { url, method, headers, body: await request.text() };
    return Response.json({});
  };
  await send(createClient({ fetch: fetch as typeof globalThis.fetch, ...options }));
  if (sent === undefined) throw new Error("Nothing was sent");
  return sent;
}

const POST = "POST http://api.test/a?x=1\nX-A: 1\nX-B: 2";

/** Parts of a request beside its text, and what they become. */
const BESIDE: readonly (readonly [string, SendOptions, Partial<Sent>, string])[] = [
  ["json", { json: { name: "Ada", a: undefined } }, { body: '{"name":"Ada"}' }, "application/json"],
  [
    "form",
    { form: { a: 1, b: [2, 3] } },
    { body: "a=1&b=2&b=3" },
    "application/x-www-form-urlencoded",
  ],
  ["body", { body: "text {{no}}" }, { body: "text {{no}}" }, ""],
  ["query", { query: { q: "a b", none: undefined } }, { url: "http://api.test/a?x=1&q=a%20b" }, ""],
  ["graphql", { graphql: { query: "{ me }" } }, {}, "application/json"],
];

describe("parts of a request beside its text", () => {
  test.each(BESIDE)("%s", async (_name, options, expected, type) => {
    const sent = await sentBy((lab) => lab.send(POST, options));
    expect(sent).toMatchObject({ method: "POST", ...expected });
    if (type !== "") expect(sent.headers.get("content-type")).toBe(type);
    expect(sent.headers.get("x-a")).toBe("1");
  });

  test("headers replace those of their name", async () => {
    const headers = { "x-a": "7", "X-C": "3" };
    for (const request of [POST, { url: "http://api.test", headers: { "X-A": "1", "X-B": "2" } }]) {
      const sent = await sentBy((lab) => lab.send(request, { headers }));
      expect(["x-a", "x-b", "x-c"].map((name) => sent.headers.get(name))).toEqual(["7", "2", "3"]);
    }
  });

  test("are part of the exchange", async () => {
    const exchange = await client.send(POST, { json: { a: 1 }, headers: { "X-C": "3" } });
    expect(exchange.toHttp()).toContain("X-C: 3");
    expect(exchange.toHttp()).toContain('{"a":1}');
  });

  test.each<readonly [string, string | RequestSpec, SendOptions, string]>([
    [
      "two bodies",
      `${POST}\n\ntext`,
      { json: 1 },
      "its text has a body, and there is json beside it",
    ],
    [
      "two bodies as data",
      { url: "http://api.test", json: 1 },
      { form: {} },
      "there is form beside it",
    ],
    ["two beside", POST, { json: 1, form: {} }, "it has both json and form"],
    [
      "several requests",
      `${POST}\n###\n${POST}`,
      { json: 1 },
      "Cannot add json to a text with 2 requests",
    ],
    ["headers as a text", POST, { headers: "a: b" as never }, 'Cannot use "a: b" as headers'],
    ["no body", { url: "http://api.test", body: null as never }, {}, "Cannot send this body"],
    ["no method", { url: "http://api.test", method: 5 as never }, {}, "its method is number"],
  ])("%s are refused", async (_name, request, options, message) => {
    expect(await said(() => client.send(request, options))).toContain(message);
  });

  test("of the first page are those of the others", async () => {
    const seen: string[] = [];
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      const { url, headers } = input as Request;
      seen.push(`${url} ${headers.get("x-a")}`);
      const link =
        seen.length < 3 ? { Link: `<?page=${seen.length + 1}&q=a>; rel="next"` } : undefined;
      return Response.json([1], { headers: link });
    };
    const lab = createClient({ fetch: fetch as typeof globalThis.fetch });
    await lab
      .paginate("GET http://api.test/", "link", { query: { q: "a" }, headers: { "X-A": "1" } })
      .all();
    expect(seen).toEqual([
      "http://api.test/?q=a 1",
      "http://api.test/?page=2&q=a 1",
      "http://api.test/?page=3&q=a 1",
    ]);
  });
});

describe("baseUrl", () => {
  test.each<readonly [string | RequestSpec, string]>([
    [{ url: "users" }, "http://api.test/v1/users"],
    [{ url: "/users?a=1" }, "http://api.test/v1/users?a=1"],
    [{ url: "?a=1" }, "http://api.test/v1?a=1"],
    [{ url: new URL("http://other.test/x") }, "http://other.test/x"],
    ["GET /users", "http://api.test/v1/users"],
    ["GET http://other.test/x", "http://other.test/x"],
    ["@base = http://own.test\nGET /users", "http://own.test/users"],
  ])("%j is sent to %s", async (request, url) => {
    expect((await sentBy((lab) => lab.send(request), { baseUrl: "http://api.test/v1" })).url).toBe(
      url,
    );
    expect(
      (await sentBy((lab) => lab.extend({ baseUrl: new URL("http://api.test/v1") }).send(request)))
        .url,
    ).toBe(url);
  });

  test("completes what is checked", () => {
    expect(createClient({ baseUrl: "http://api.test" }).check("GET /users")).toEqual([]);
    expect(createClient().check("GET /users")).toHaveLength(1);
  });
});

/** A fetch that is handed in, and what is said of it. */
const FETCHES: readonly (readonly [string, () => unknown, string])[] = [
  [
    "returns nothing",
    () => undefined,
    "the fetch of this client has returned undefined, not a Response",
  ],
  ["returns data", () => ({ a: 1 }), "has returned object, not a Response"],
  ["returns an error", () => Response.error(), "has returned Response.error(), which says"],
  [
    "throws",
    () => Promise.reject(new Error("no mock")),
    "the fetch of this client has thrown, no mock",
  ],
];

test.each(FETCHES)("a fetch that %s gets its own sentence", async (_name, fetch, message) => {
  const lab = createClient({ fetch: (async () => fetch()) as typeof globalThis.fetch });
  expect(await said(() => lab.send(URL_OF))).toContain(message);
});

test("many requests with one signal warn of nothing, and all are aborted", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  const controller = new AbortController();
  const { signal } = controller;
  const fetch = (): Promise<Response> => new Promise(() => undefined);
  const lab = createClient({ fetch });
  const sent = Array.from({ length: 30 }, () => said(() => lab.send(URL_OF, { signal })));
  await expect.poll(() => lab.pending.length).toBe(30);
  controller.abort();
  expect(new Set(await Promise.all(sent)).size).toBe(1);
  process.off("warning", note);
  expect(warnings).toEqual([]);
});
