import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createConnect } from "../../kernel/platform/mod.ts";
import { createClient, type RequestParts } from "../../lib/mod.ts";

/** Repeats what it was sent. */
async function echo(given: Request | URL | string): Promise<Response> {
  const request = given as Request;
  const { search } = new URL(request.url);
  return Response.json([request.headers.get("x-key"), search, await request.text()]);
}

/** A body whose beginning arrives, and no more. */
function begun(text: string, type: string): Response {
  const body = new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode(text)) });
  return new Response(body, { headers: { "content-type": type } });
}

describe("a request has the values of the moment of the call", () => {
  const client = createClient({ fetch: echo });
  const bytes = new Uint8Array(1);
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  const change = (value: string): void => {
    headers["X-Key"] = value;
    query["page"] = value;
    bytes[0] = value.charCodeAt(0);
  };
  const parts: RequestParts = { headers, query, body: bytes };

  test.each([
    ["data", () => client.send({ method: "POST", url: "http://h.test/", ...parts })],
    ["beside a text", () => client.send("POST http://h.test/", parts)],
  ])("%s", async (_, send) => {
    const sent = [..."abc"].map((value) => {
      change(value);
      return send();
    });
    const received = (await Promise.all(sent)).map(({ json }) => json);
    expect(received).toEqual([..."abc"].map((it) => [it, `?page=${it}`, it]));
  });
});

describe("a body that does not end is ended", () => {
  const client = createClient({ fetch: async () => begun("{", "application/json") });

  test.each([
    ["by the time limit", { timeout: 20 }, "TimeoutError", "timed-out"],
    ["by a signal", { signal: AbortSignal.timeout(20) }, "TimeoutError", "aborted"],
  ])("%s", async (_, options, name, code) => {
    const error = await client.send("GET http://h.test/", options).catch((it: unknown) => it);
    expect(error).toMatchObject({ name, code });
  });

  test("by client.abort()", async () => {
    const sent = client.send("GET http://h.test/", { onHeaders: () => client.abort() });
    await expect(sent).rejects.toMatchObject({ name: "AbortError", code: "aborted" });
  });
});

describe("what was stopped never seems complete", () => {
  const lines = async (): Promise<Response> => begun('{"id":1}\n', "application/x-ndjson");

  test("in a batch, of which no further request is sent", async () => {
    let sent = 0;
    const client = createClient({
      fetch: async () => {
        sent += 1;
        return lines();
      },
    });
    const texts = ["GET http://h.test/1", "GET http://h.test/2"];
    const results = await client.all(texts, { concurrency: 1, signal: AbortSignal.timeout(20) });
    expect(sent).toBe(1);
    expect(results.ok).toBe(false);
    expect(results.results.map(({ state }) => state)).toEqual(["answered", "not sent"]);
  });

  test("in a listing", async () => {
    const client = createClient({ fetch: lines });
    const options = { signal: AbortSignal.timeout(20) };
    const pages = client.paginate("GET http://h.test/", "link", options);
    await expect(pages.all()).rejects.toThrow("Cannot continue after page 1: it is incomplete");
    expect(pages.ended).toBe("failed");
  });

  test("but for a listing whose bytes are passed on", async () => {
    const client = createClient({ fetch: async () => new Response("0123456789") });
    const pages = client.paginate("GET http://h.test/", "link", {
      keepBytes: 4,
      onChunk: () => undefined,
    });
    expect((await pages.all()).map(({ text }) => text)).toEqual(["0123"]);
    expect(pages.ended).toBe("end");
  });

  test("in the items of a listing with an error status", async () => {
    const client = createClient({ fetch: async () => Response.json([], { status: 500 }) });
    const pages = client.paginate("GET http://h.test/", "link");
    await expect(pages.items()[Symbol.asyncIterator]().next()).rejects.toThrow("500");
    expect(pages.ended).toBe("failed");
  });
});

test("lines are decoded by the charset of the response, events as UTF-8", async () => {
  const latin = Uint8Array.from("data: Mü\n\n", (it) => it.charCodeAt(0));
  const respond = async (given: Request | URL | string): Promise<Response> => {
    const type = new URL((given as Request).url).pathname === "/e" ? "event-stream" : "plain";
    return new Response(latin, { headers: { "content-type": `text/${type};charset=iso-8859-1` } });
  };
  const client = createClient({ fetch: respond });
  const lines: string[] = [];
  for await (const { text } of client.stream("GET http://h.test/", { as: "lines" }))
    lines.push(text);
  expect(lines[0]).toBe("data: Mü");
  const events: string[] = [];
  for await (const { data } of client.stream("GET http://h.test/e", { as: "events" }))
    events.push(data);
  expect(events).toEqual(["M\ufffd"]);
});

test.each([[false], [true], ["1"], [null]])("retry: %j is refused", (retry) => {
  const create = (): unknown => createClient({ retry: retry as never });
  expect(create).toThrow("is neither a number nor an object; write 0 to send once");
});

test("a stream that an HTTP/2 server refuses or ends without headers is sent again five times at most", async () => {
  let count = 0;
  const server = createServer();
  server.on("stream", (stream, { ":path": path }) => {
    count += 1;
    stream.on("error", () => undefined);
    if (path === "/warm") {
      stream.respond();
      stream.end("warm");
    } else if (path === "/refused") stream.close(7);
    else stream.close(0);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({
    connect: createConnect({}),
    connection: { http2: "prior-knowledge" },
  });
  try {
    for (const path of ["/refused", "/nothing"]) {
      await client.send(`GET ${base}/warm`);
      count = 0;
      await expect(client.send(`GET ${base}${path}`)).rejects.toMatchObject({ code: "reset" });
      expect(count).toBe(6);
    }
  } finally {
    server.close();
  }
});

describe("an asynchronous hook that fails ends its request", () => {
  const fail = async (): Promise<never> => {
    throw new Error("the hook has failed");
  };
  const client = createClient({ fetch: echo });

  test.each(["onHeaders", "onProgress", "onChunk", "onExchange"])("%s", async (name) => {
    const sent = client.sendAll("GET http://h.test/\n?? status == 200", { [name]: fail });
    await expect(sent).rejects.toThrow("the hook has failed");
  });

  test.each(["onProgress", "onResult"])("%s of a batch", async (name) => {
    const sent = client.all(["GET http://h.test/"], { [name]: fail });
    await expect(sent).rejects.toThrow("the hook has failed");
  });
});

test("headers that are a promise are refused", async () => {
  const headers = (async () => ({ "X-Key": "1" })) as never;
  const client = createClient({ fetch: echo, headers });
  await expect(client.send("GET http://h.test/")).rejects.toThrow(
    "Cannot use a promise as headers",
  );
});
