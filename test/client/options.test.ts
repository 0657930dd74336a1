import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createClient, InvalidHeaderError, type RequestSpec, version } from "../../lib/mod.ts";

function fileVersion(name: string): string {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")).version;
}

/** A fetch that answers at once and keeps what it was given. */
function recordingFetch(): { fetch: typeof fetch; requests: Request[] } {
  const requests: Request[] = [];
  const answer = async (input: RequestInfo | URL): Promise<Response> => {
    requests.push(new Request(input));
    return new Response("{}", { headers: { "content-type": "application/json" } });
  };
  return { fetch: answer as typeof fetch, requests };
}

describe("version", () => {
  test("is the one of package.json and deno.json", () => {
    expect(version).toBe(fileVersion("package.json"));
    expect(version).toBe(fileVersion("deno.json"));
    expect(createClient().version).toBe(version);
  });
});

describe("createClient", () => {
  test.each([
    { timeout: -1 },
    { timeout: Number.NaN },
    { timeout: "5" },
    { maxRedirects: -1 },
    { maxBodyBytes: Number.NaN },
    { retry: -2 },
    { historyCount: -1 },
    { historyBytes: Number.NaN },
    { redirect: "sometimes" },
    { crossOriginBody: "no" },
  ])("refuses %j", (options) => {
    expect(() => createClient(options as object)).toThrow(TypeError);
    expect(() => createClient(options as object)).toThrow(Object.keys(options)[0]);
  });

  test("refuses headers that contain line breaks", () => {
    expect(() => createClient({ headers: { "X-A": "1\r\nX-B: 2" } })).toThrow(InvalidHeaderError);
    expect(() => createClient({ headers: { "X A": "1" } })).toThrow(InvalidHeaderError);
  });

  test("uses the fetch that it is given, with the headers of the client", async () => {
    const { fetch, requests } = recordingFetch();
    const client = createClient({ fetch, headers: [["X-Team", "lab"]] });
    const exchange = await client.send("GET http://api.test/a");
    expect(exchange.json).toEqual({});
    expect(requests[0]?.url).toBe("http://api.test/a");
    expect(requests[0]?.headers.get("x-team")).toBe("lab");
  });
});

describe("send", () => {
  test("parses the whole text before the first request is sent", async () => {
    const { fetch, requests } = recordingFetch();
    const client = createClient({ fetch });
    const text = "GET http://api.test/a\n\n###\nGTE http://api.test/b";
    await expect(client.send(text)).rejects.toThrow(/GTE/);
    expect(requests).toEqual([]);
  });

  test("sends the requests before one whose values are missing, and none after it", async () => {
    const { fetch, requests } = recordingFetch();
    const text =
      "GET http://api.test/a\n\n###\nGET http://api.test/{{no}}\n\n###\nGET http://api.test/c";
    await expect(createClient({ fetch }).sendAll(text)).rejects.toThrow(/no/);
    expect(requests.map(({ url }) => url)).toEqual(["http://api.test/a"]);
  });

  test("of a text without a request sets its variables, then throws", async () => {
    const client = createClient();
    await expect(client.send("@a = 1")).rejects.toThrow(
      "Cannot send the text: it contains no request",
    );
    expect(await client.sendAll("@b = 2")).toEqual([]);
    expect(client.getVar("b")).toBe(2);
  });

  test.each([undefined, null, 7])("refuses %s", async (request) => {
    await expect(createClient().send(request as never)).rejects.toThrow(TypeError);
  });

  test("refuses a spec with body and json, without url, or with a value that is not JSON", async () => {
    const client = createClient();
    const url = "http://api.test/";
    await expect(client.send({ url, body: "", json: 1 })).rejects.toThrow(/both body and json/);
    await expect(client.send({} as never)).rejects.toThrow(/url is undefined/);
    await expect(client.send({ url, json: { a: [() => 1] } })).rejects.toThrow(/json\.a\[0\]/);
    await expect(client.send({ url, headers: { a: "b\n" } })).rejects.toThrow(InvalidHeaderError);
  });

  const near = (name: string, known: string): string =>
    `Cannot send the request: "${name}" is not a member of a request; did you mean "${known}"`;
  const option = (name: string): string =>
    `"${name}" is an option, not a member of a request: pass it as in client.send(request, { ${name} })`;
  test.each([
    [{ header: {} }, `${near("header", "headers")}?`],
    [{ metod: "PUT" }, `${near("metod", "method")}?`],
    [
      { timeOut: 5 },
      `${near("timeOut", "timeout")}, an option as in client.send(request, { timeout })?`,
    ],
    [{ signal: new AbortController().signal }, `Cannot send the request: ${option("signal")}`],
    [{ timeout: 5 }, option("timeout")],
    [{ retry: 2 }, option("retry")],
    [{ signal: null, header: {} }, `${option("signal")}; "header" is not`],
    [
      { data: 1 },
      '"data" is not a member of a request, which has name, method, url, headers, query, body',
    ],
    [{ constructor: 1 }, '"constructor" is not a member of a request'],
  ])("refuses data with %j, whichever way it is sent", async (member, message) => {
    const { fetch, requests } = recordingFetch();
    const client = createClient({ fetch });
    const request = { url: "http://api.test/", ...member };
    const offset = { by: "offset", size: 1 } as const;
    const ways = [
      client.send(request),
      client.stream(request).exchange,
      client.paginate(request, offset).all(),
      client.extend({}).send(request),
      client.all([request]).then(([result]) => {
        throw result?.state === "failed" ? result.error : result;
      }),
    ];
    for (const way of ways) {
      await expect(way).rejects.toThrow(TypeError);
      await expect(way).rejects.toThrow(message);
    }
    expect(requests).toEqual([]);
  });

  test("keeps the options of a client that is extended with undefined", async () => {
    const { fetch, requests } = recordingFetch();
    const auth = { type: "bearer", token: "abc-123-def" } as const;
    const client = createClient({ fetch, auth }).extend({ auth: undefined, ky: undefined });
    await client.send("GET http://api.test/");
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer abc-123-def");
  });

  test("sends the request of an exchange, or a rendered one, again", async () => {
    const { fetch, requests } = recordingFetch();
    const client = createClient({ fetch });
    await client.send("### A title\n# @name one\nPOST http://api.test/?a=1\nX-A: b\n\n{}");
    await client.send(client.last.request as RequestSpec);
    const { body, ...rendered } = client.render("PUT http://api.test/b");
    await client.send({ ...rendered, signal: undefined } as never);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST http://api.test/?a=1",
      "POST http://api.test/?a=1",
      "PUT http://api.test/b",
    ]);
  });

  test("leaves no listener on the given signal", async () => {
    const { fetch } = recordingFetch();
    const client = createClient({ fetch });
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...parts: Parameters<typeof add>) => {
      listeners++;
      add(...parts);
    };
    signal.removeEventListener = (...parts: Parameters<typeof remove>) => {
      listeners--;
      remove(...parts);
    };
    for (let count = 0; count < 3; count++) await client.send("GET http://api.test/", { signal });
    expect(listeners).toBe(0);
  });
});
