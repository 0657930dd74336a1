import { execFile } from "node:child_process";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, type Exchange, type RequestSpec } from "../../lib/mod.ts";
import { hasTools } from "../support/require.ts";

const run = promisify(execFile);

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Headers that a program adds by itself, and that say nothing of what was asked for. */
const OWN =
  /^(?:host|user-agent|accept|accept-language|accept-encoding|sec-fetch-mode|connection|content-length|transfer-encoding|expect)$/i;

describe.skipIf(!hasTools("curl"))("requests written as commands and sent again", () => {
  const received: Received[] = [];
  let base = "";
  // A loaded machine may take longer between two requests than idle connections are kept.
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url, rawHeaders } = request;
      // Repeated names are one list (RFC 9110, 5.3): fetch joins them, curl does not.
      const values = new Map<string, string[]>();
      for (const [index, name] of rawHeaders.entries()) {
        if (index % 2 === 1 || OWN.test(name)) continue;
        const value = Buffer.from(rawHeaders[index + 1] ?? "", "latin1").toString();
        values.set(name.toLowerCase(), [...(values.get(name.toLowerCase()) ?? []), value]);
      }
      const headers = Array.from(values, ([name, list]) => `${name}: ${list.join(", ")}`);
      received.push({
        method,
        url,
        headers: headers.sort(),
        body: Buffer.concat(chunks).toString("hex"),
      });
      response.end("ok");
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  async function receivedFrom(send: () => Promise<unknown>): Promise<Received | undefined> {
    received.length = 0;
    await send();
    expect(received).toHaveLength(1);
    return received[0];
  }

  const byShell = async (shell: string, command: string): Promise<unknown> => {
    const running = run(shell, ["-s"]);
    running.child.stdin?.end(command.replace(/(^|\| )curl /, "$1curl -sS -o /dev/null "));
    return await running;
  };

  async function checkAll(spec: RequestSpec): Promise<void> {
    let exchange: Exchange | undefined;
    const client = createClient();
    const wanted = await receivedFrom(async () => {
      exchange = await client.send(spec);
    });
    if (exchange === undefined) throw new Error("There is no exchange");
    const { toCurl, toFetch, toHttp } = {
      toCurl: exchange.toCurl(),
      toFetch: exchange.toFetch(),
      toHttp: exchange.toHttp(),
    };
    for (const shell of ["sh", "bash"]) {
      expect(await receivedFrom(() => byShell(shell, toCurl)), toCurl).toEqual(wanted);
    }
    const evaluate = new Function(`return (async () => { ${toFetch} })()`);
    expect(await receivedFrom(evaluate as () => Promise<void>), toFetch).toEqual(wanted);
    // A cell knows placeholders, which a shell does not.
    expect(await receivedFrom(() => client.send(toCurl)), toCurl).toEqual(wanted);
    expect(await receivedFrom(() => client.send(toHttp)), toHttp).toEqual(wanted);
  }

  test.each<[string, Omit<RequestSpec, "url"> & { path?: string }]>([
    ["GET", {}],
    ["HEAD", { method: "HEAD" }],
    ["DELETE", { method: "DELETE", path: "/a%20b?x=1&y=%2F&z=[1]{2}#hash" }],
    ["POST without a body", { method: "POST" }],
    ["JSON", { json: { a: 'it\'s $HOME `x` \\ "q"\n\t', "{{b}}": ["ü€😀"] } }],
    [
      "a header that is empty, and two of one name",
      {
        headers: [
          ["X-E", ""],
          ["X-A", "1"],
          ["X-A", "'2'"],
        ],
      },
    ],
    ["a header of the dots that stand for secrets", { headers: { "X-A": "•" } }],
    ["a body that looks like a file", { body: "@file", headers: { "Content-Type": "text/plain" } }],
    ["a body without a type", { body: "a=1&b=2" }],
    [
      "a body that request text cannot say",
      { body: "a\n### {{b}}\n< c\n\n", headers: { "Content-Type": "text/plain" } },
    ],
    ["control characters", { body: "a\rb\x01\x7f\n'", headers: { "Content-Type": "text/plain" } }],
    ...[
      "a\0b",
      "\0",
      "a\rb",
      "--x\r\nA: b\r\n\r\n{{c}} \\{{d}} {{{e}}}\r\n--x--\r\n",
      "-n \r%s %% %d \\n \\\\ \\101 'q' \"p\" $HOME `x` !",
      "\t\x01\x7f\u0085ü€😀\ufeff\r",
      "\ufeffbom\r",
      "a\n###\nb",
      "lone \ud800 \udc80 {{\ufffd}}",
      `${"long ü\n".repeat(30_000)}`,
      `${"long\r\n".repeat(30_000)}\0`,
    ].map((body): [string, { body: string; headers: Record<string, string> }] => [
      JSON.stringify(body.slice(0, 40)),
      { body, headers: { "Content-Type": "text/x" } },
    ]),
    ...[
      "ff",
      "00",
      "7b7b617d7dff",
      "5c7b7b617d7dff",
      "7b7b7b617d7d7dff00",
      "2dff",
      "0d0aff25735c6e27",
      "efbbbfff",
      "e282",
      "eda080",
      "610062",
      "27".repeat(255),
      "7b".repeat(300),
      "ff7b7b617d7d".repeat(60),
    ].map((hex): [string, { body: Uint8Array }] => [
      `the bytes ${hex.slice(0, 40)}`,
      { body: Uint8Array.from(Buffer.from(hex, "hex")) },
    ]),
    ["bytes", { body: Uint8Array.from({ length: 256 }, (_, index) => index) }],
    ["bytes that are text", { body: new TextEncoder().encode("ü"), method: "PUT" }],
    [
      "braces that are no placeholder",
      {
        body: "{{name}} \\{{x}} {{{{y}}",
        path: "/?{{{z}}}",
        headers: { "Content-Type": "text/plain", "X-B": "{{y}}" },
      },
    ],
  ])("%s", async (_, { path = "/p", ...spec }) => {
    await checkAll({ ...spec, url: base + path });
  });

  test("a secret in a body that is piped is its placeholder", async () => {
    const client = createClient();
    client.setVar("token", "hush-hush-42", { secret: true });
    const wanted = await receivedFrom(() =>
      client.send({ url: `${base}/p`, body: "a\r\nhush-hush-42 100% {{token}}\0" }),
    );
    const written = client.last.toCurl();
    expect(written).toMatch(/^printf 'a\\r\\n\{\{token\}\} 100%% \{\\173token\}\}\\000' \| curl/);
    expect(await receivedFrom(() => client.send(written))).toEqual(wanted);
  });

  test("arbitrary bytes", async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 600 });
    for (const body of fc.sample(bytes, { seed: 11, numRuns: 12 })) {
      await checkAll({ url: `${base}/p`, body });
    }
  });

  test("arbitrary header values and bodies", async () => {
    const name = fc.stringMatching(/^X-[A-Za-z0-9-]{1,8}$/);
    const value = fc
      .string({ unit: "grapheme", maxLength: 20 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no header holds them
      .map((text) => text.replace(/[\x00-\x1f\x7f]/g, "").trim());
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("POST", "PUT", "PATCH"),
        fc.uniqueArray(fc.tuple(name, value), {
          maxLength: 4,
          selector: ([it]) => it.toLowerCase(),
        }),
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 60 }),
          fc.json({ maxDepth: 2 }),
          fc.uint8Array({ maxLength: 40 }),
        ),
        fc.webQueryParameters({ size: "small" }),
        async (method, headers, body, query) => {
          await checkAll({
            method,
            url: `${base}/p?x=1&${query}`,
            headers: [...headers, ["Content-Type", "application/octet-stream"]],
            body,
          });
        },
      ),
      { numRuns: 15 },
    );
  });

  /** A command as it is, run by curl and by a client. */
  test.each([
    "curl URL/x?a=1",
    "curl -X PATCH 'URL/a b' -d 1".replace("a b", "a%20b"),
    `curl URL -d a=1 -d 'b=2 3' --data-raw @c --data-urlencode 'q=a b+ü*~()' --data-urlencode '=x y' --data-urlencode 'z'`,
    "curl -G URL/?z=0 -d a=1 --data-urlencode 'q=a b&c'",
    "curl -G URL -d a=1#hash",
    "curl URL --url-query 'a=b c' --url-query d",
    `curl URL --json '{"a":' --json '1}'`,
    "curl URL -u 'ada:pa ss:ü' -b 'x=1; y=2' -A me -e http://r.test -H 'X-E;' -H 'X-A:   1  ' -r 0-4",
    "curl URL -I",
    "curl URL -d '' -H 'Content-Type:'",
    `curl URL -d $'a\\tb\\n\\'\\x41\\u00e9\\\\' -H "X: \\"q\\" \\\\ 'z' \\$5"`,
    "curl URL \\\n  -H 'A: 1' \\\n  --data-binary 'two\nlines\n'",
    `curl -sSfL --compressed URL/a""b'c'\\d -XPOST -HX-A:1 -d1 # done`,
    `curl URL -F a=b -F 'c="d;e"' -F 'q"=1' --form-string 'e=@f;g' -F 'h=x;type=text/x'`,
    "curl URL --oauth2-bearer t0ken",
  ])("%s sends the same request as curl", async (template) => {
    const command = template.replace("URL", base);
    const byCurl = await receivedFrom(() => byShell("bash", command));
    const byClient = await receivedFrom(() => createClient().send(command));
    expect(withoutBoundary(byClient)).toEqual(withoutBoundary(byCurl));
  });
});

/** curl makes a boundary of its own each time. */
function withoutBoundary(received: Received | undefined): unknown {
  const [, boundary] = /boundary=([\w-]+)/.exec(received?.headers.join("\n") ?? "") ?? [];
  if (received === undefined || boundary === undefined) return received;
  const hex = Buffer.from(boundary).toString("hex");
  const text = JSON.stringify(received).replaceAll(hex, "");
  return JSON.parse(text.replaceAll(boundary, "boundary"));
}
