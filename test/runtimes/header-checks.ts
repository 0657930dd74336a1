import assert from "node:assert/strict";
import { createServer } from "node:net";
import { platform } from "../../kernel/platform/library.ts";
import type { Client, Exchange } from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";
import { type Check, type Context, checks } from "./check.ts";

/**
 * A server that keeps the header lines of each request as they came, and redirects `/to?URL` to that URL.
 *
 * @param run Gets the lines of the last request, those of all requests, and their targets.
 */
async function withRecorder(
  run: (
    base: string,
    lines: () => string[],
    all: () => string[][],
    targets: () => string[],
  ) => Promise<void>,
) {
  const all: string[][] = [];
  const targets: string[] = [];
  const server = createServer((socket) => {
    let received = "";
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      received += data.toString("latin1");
      const end = received.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = received.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const isWhole = /transfer-encoding/i.test(head)
        ? received.endsWith("0\r\n\r\n")
        : received.length >= end + 4 + length;
      if (!isWhole) return;
      const [line = "", ...headers] = head.split("\r\n");
      all.push(headers);
      targets.push(line.split(" ")[1] ?? "");
      received = "";
      const [, location] = /^\S+ \/to\?(\S+)/.exec(line) ?? [];
      const answer =
        location === undefined
          ? "200 OK"
          : `307 Temporary Redirect\r\nLocation: ${decodeURIComponent(location)}`;
      socket.write(`HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`, "latin1");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  try {
    const lines = (): string[] => all.at(-1) ?? [];
    await run(
      `http://127.0.0.1:${port}`,
      lines,
      () => all,
      () => targets,
    );
  } finally {
    server.close();
  }
}

/** Sends a request to a server that answers with these lines. */
async function answered(
  client: Client,
  lines: readonly string[],
  encoding: BufferEncoding = "latin1",
): Promise<Exchange> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(`HTTP/1.1 ${lines.join("\r\n")}\r\n\r\nok`, encoding));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return client.send(`POST http://127.0.0.1:${port}/`).finally(() => server.close());
}

const inOrder = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())).toSorted();

function shownBy({ last }: Client): string[] {
  const { headers, defaults = [] } = (last as NonNullable<typeof last>).request;
  return inOrder([...headers, ...defaults].map(([name, value]) => `${name}: ${value}`));
}

const REQUESTS = [
  "GET {{base}}/",
  "GET {{base}}/\nAccept: text/csv\nuser-agent: me\nX-A: 1",
  "HEAD {{base}}/",
  "OPTIONS {{base}}/",
  "DELETE {{base}}/",
  "POST {{base}}/",
  "PUT {{base}}/",
  "PATCH {{base}}/",
  'POST {{base}}/\nContent-Type: application/json\n\n{"a":"ü"}',
  "PATCH {{base}}/\nContent-Type: text/plain\n\nhi",
];

/** The headers that are sent besides those that were written. */
export const headerChecks: readonly Check[] = checks({
  async "an exchange has all headers as the server received them"({ lib }: Context) {
    await withRecorder(async (base, lines) => {
      for (const options of [{}, { connection: { proxy: false } as const }]) {
        const client = lib.createClient({ ...platform, ...options });
        client.setVar("base", base);
        for (const text of REQUESTS) {
          await client.send(text);
          assert.deepEqual(shownBy(client), inOrder(lines()), `${JSON.stringify(options)} ${text}`);
        }
      }
    });
  },
  async "each hop of redirects has the headers that were sent with it"({ lib }: Context) {
    await withRecorder(async (base, _lines, all) => {
      const client = lib.createClient({ ...platform, auth: { type: "bearer", token: "hush-42" } });
      const other = base.replace("127.0.0.1", "localhost");
      const { hops } = await client.send(`POST ${base}/to?${other}/x\nX-A: 1\n\nhello`);
      assert.deepEqual(
        hops.map(({ headers }) => inOrder(headers.map(([name, value]) => `${name}: ${value}`))),
        all().map(inOrder),
      );
      assert.deepEqual(
        hops.map(({ method, url, body, response: { status } }) => [method, url, body, status]),
        [
          ["POST", `${base}/to?${other}/x`, "hello", 307],
          ["POST", `${other}/x`, "hello", 200],
        ],
      );
      const authorized = hops.map(({ headers }) =>
        headers.some(([name]) => name === "Authorization"),
      );
      assert.deepEqual(authorized, [true, false]);
    });
  },
  async "a stream has the header of its length, or of its chunks"({ lib }: Context) {
    await withRecorder(async (base, lines) => {
      const client = lib.createClient({ ...platform });
      const compress = "gzip" as const;
      await client.send(`POST ${base}/\nContent-Type: text/plain\n\nhi`, { compress });
      assert.deepEqual(shownBy(client), inOrder(lines()));
    });
  },
  async "the defaults are the same on every runtime, unless the request says otherwise"({
    lib,
    base,
  }: Context) {
    const client = lib.createClient();
    const sent = async (headers: string) =>
      explore((await client.send(`GET ${base}/echo${headers}`)).json).headers;
    // The fetch of Node adds "sec-fetch-mode".
    const { connection: _1, "sec-fetch-mode": _2, ...defaults } = await sent("");
    assert.deepEqual(defaults, {
      accept: "*/*",
      "accept-encoding": "gzip, br",
      "accept-language": "*",
      host: new URL(base).host,
      "user-agent": `restlab/${lib.version}`,
    });
    const own = await sent("\nUSER-AGENT: me\nAccept-Encoding: identity");
    assert.equal(own["user-agent"], "me");
    assert.equal(own["accept-encoding"], "identity");
  },
  async "the requests of a login have the defaults, too"({ lib }: Context) {
    await withRecorder(async (base, lines) => {
      const client = lib.createClient({
        ...platform,
        auth: {
          type: "oauth2",
          grant: "client_credentials",
          tokenEndpoint: `${base}/token`,
          clientId: "me",
          clientSecret: "hush-hush-42",
        },
      });
      await client.send(`GET ${base}/`).catch(() => undefined);
      assert.ok(inOrder(lines()).includes(`user-agent: restlab/${lib.version}`));
    });
  },
  async "all forms show the headers of a response as they came, each line by itself"({
    lib,
  }: Context) {
    const lines = [
      "Zeta-ID: 1",
      "Vary: a",
      "X-Name: J\u00c3\u00bcrgen",
      "vary: b",
      "X-City: K\u00f6ln",
      'ETag: "1"',
      "Content-Length: 2",
    ];
    const exchange = await answered(lib.createClient(platform), ["200 OK", ...lines]);
    const shown = ["Zeta-ID: 1", "Vary: a", "X-Name: Jürgen", "vary: b", "X-City: Köln"];
    const {
      "text/plain": plain,
      "text/markdown": markdown,
      "text/html": html,
    } = exchange[Symbol.for("Jupyter.display") as typeof lib.jupyterDisplay]();
    const isInOrder = (text: unknown, parts: readonly string[]): boolean => {
      const places = parts.map((part) => String(text).indexOf(part));
      return places.every((place, at) => place > (places[at - 1] ?? -1));
    };
    assert.ok(isInOrder(plain, shown), plain);
    assert.ok(isInOrder(markdown, shown), String(markdown));
    const cells = shown.map((line) => line.replace(/^(.*?): (.*)$/, ">$1</th>"));
    assert.ok(isInOrder(html, cells), String(html));
    const { headers } = exchange.toJSON() as { headers: readonly (readonly string[])[] };
    assert.deepEqual(headers.map((pair) => pair.join(": ")).slice(0, 5), shown);
    assert.deepEqual(exchange.warnings, []);
  },
  async "UTF-8 in a response is text, and is sent back as it came"({ lib }: Context) {
    await withRecorder(async (base, lines) => {
      const client = lib.createClient(platform);
      const bytes = (text: string): string => Buffer.from(text).toString("latin1");
      const head = ["200 OK", `X-City: ${bytes("Zürich 日本")}`, "X-Old: K\u00f6ln"];
      const cookie = `Set-Cookie: city=${bytes("Zürich")}; Path=/`;
      const { headers } = await answered(client, [...head, cookie, "Content-Length: 2"]);
      assert.equal(headers.get("x-city"), "Zürich 日本");
      assert.equal(headers.get("x-old"), "Köln");
      assert.deepEqual(headers.getSetCookie(), ["city=Zürich; Path=/"]);
      const listed = Object.fromEntries([...headers]);
      headers.forEach((value, name) => {
        assert.equal(value, listed[name]);
      });
      assert.equal(listed["x-city"], "Zürich 日本");
      client.setVar("city", headers.get("x-city"));
      await client.send(`GET ${base}/\nX-City: {{city}}`);
      const sent = lines().map((line) => Buffer.from(line, "latin1").toString());
      assert.ok(sent.includes("X-City: Zürich 日本"), sent.join("\n"));
      assert.ok(sent.includes("Cookie: city=Zürich"), sent.join("\n"));
    });
  },
  async "what is not UTF-8 is sent back as it came, to the host that has sent it"({
    lib,
  }: Context) {
    await withRecorder(async (base, lines) => {
      const client = lib.createClient(platform);
      const head = ["200 OK", 'ETag: "caf\u00e9"', "Set-Cookie: city=K\u00f6ln; Path=/"];
      const { headers } = await answered(client, [...head, "Content-Length: 2"]);
      assert.equal(headers.get("etag"), '"café"');
      client.setVar("etag", headers.get("etag"));
      const text = (url: string): string =>
        `GET ${url}\nIf-Match: W/"x", {{etag}}\nX-City: Zürich Köln`;
      await client.send(text(base));
      const zurich = Buffer.from("Zürich").toString("latin1");
      assert.ok(lines().includes('If-Match: W/"x", "caf\u00e9"'), lines().join("\n"));
      assert.ok(lines().includes("Cookie: city=K\u00f6ln"), lines().join("\n"));
      assert.ok(lines().includes(`X-City: ${zurich} K\u00f6ln`), lines().join("\n"));
      await client.send(text(base.replace("127.0.0.1", "localhost")));
      const utf8 = lines().map((line) => Buffer.from(line, "latin1").toString());
      assert.ok(utf8.includes('If-Match: W/"x", "café"'), utf8.join("\n"));
      assert.ok(utf8.includes("X-City: Zürich Köln"), utf8.join("\n"));
    });
  },
  async "names below localhost are the loopback"({ lib }: Context) {
    await withRecorder(async (base, lines) => {
      const { port } = new URL(base);
      for (const host of ["api.localhost", "a.b.localhost"]) {
        await lib.createClient(platform).send(`GET http://${host}:${port}/`);
        assert.ok(lines().includes(`Host: ${host}:${port}`), lines().join("\n"));
      }
    });
  },
  async "what may occur once and was repeated is shown and remarked"({ lib }: Context) {
    const client = lib.createClient(platform);
    const table: readonly (readonly [lines: readonly string[], warnings: readonly string[]])[] = [
      [["200 OK", "ETag: 1", "etag: 2"], ['2 headers "ETag"']],
      [["200 OK", "Vary: a", "Vary: b", "Set-Cookie: a=1", "Set-Cookie: b=2"], []],
      [
        ["200 OK", "Content-Type: text/css", "Content-Type: text/csv"],
        ['2 headers "Content-Type"'],
      ],
      [
        ["302 Found", "Location: /a", "Location: /b"],
        ["not followed: it has 2 different headers Location", '2 headers "Location"'],
      ],
      [["307 Temporary Redirect", "Location: "], ["not followed: its Location is empty"]],
    ];
    for (const [lines, wanted] of table) {
      const { warnings, redirects } = await answered(client, [...lines, "Content-Length: 2"]);
      assert.equal(redirects.length, 0);
      assert.equal(warnings.length, wanted.length, warnings.join("\n"));
      for (const [at, part] of wanted.entries()) assert.ok(warnings[at]?.includes(part), part);
    }
    await assert.rejects(answered(client, ["200 OK", "Content-Length: 2", "Content-Length: 2"]), {
      name: "NoResponseError",
      message: /the response has several headers Content-Length/,
    });
  },
  async "a Location of any bytes is percent-encoded once"({ lib }: Context) {
    for (const [written, sent] of [
      ["/caf\u00e9", "/caf%E9"],
      ["/caf\u00c3\u00a9?q=\u00c3\u00bc", "/caf%C3%A9?q=%C3%BC"],
    ] as const) {
      await withRecorder(async (base, _lines, _all, targets) => {
        const client = lib.createClient(platform);
        await client.send(`GET ${base}/to?${encodeURIComponent(written)}`);
        assert.equal(targets().at(-1), sent);
      });
    }
  },
});
