import assert from "node:assert/strict";
import { createServer } from "node:net";
import { platform } from "../../kernel/platform/library.ts";
import type { Client } from "../../lib/mod.ts";
import { type Check, type Context, checks } from "./check.ts";

/**
 * A server that keeps the header lines of each request as they came, and redirects `/to?URL` to that URL.
 *
 * @param run Gets the lines of the last request, and those of all requests.
 */
async function withRecorder(
  run: (base: string, lines: () => string[], all: () => string[][]) => Promise<void>,
) {
  const all: string[][] = [];
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
      received = "";
      const [, location] = /^\S+ \/to\?(\S+)/.exec(line) ?? [];
      const answer =
        location === undefined ? "200 OK" : `307 Temporary Redirect\r\nLocation: ${location}`;
      socket.write(`HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  try {
    const lines = (): string[] => all.at(-1) ?? [];
    await run(`http://127.0.0.1:${port}`, lines, () => all);
  } finally {
    server.close();
  }
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
      (await client.send(`GET ${base}/echo${headers}`)).json.headers;
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
});
