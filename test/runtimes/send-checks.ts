import assert from "node:assert/strict";
import { explore } from "../support/explore.ts";
import { type Check, type Context, checks } from "./check.ts";

/** What the echo route says of a request. */
interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly hex: { readonly [name: string]: string };
  readonly body: string;
  readonly bytes: number;
}

async function echo({ lib, base }: Context, text: string): Promise<Echo> {
  const client = lib.createClient();
  client.setVar("base", base);
  return (await client.send<Echo>(text)).json;
}

function utf8Hex(text: string): string {
  return Buffer.from(text).toString("hex");
}

/** Methods, headers, bodies and URLs on their way out. */
export const sendChecks: readonly Check[] = checks({
  async "send uses the method that is written: GET, POST, PUT, PATCH, DELETE, OPTIONS"(context) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      assert.equal((await echo(context, `${method} {{base}}/echo`)).method, method);
    }
  },
  async "send takes other tokens as methods"(context) {
    for (const method of ["PURGE", "PROPFIND", "REPORT", "M-SEARCH"]) {
      assert.equal((await echo(context, `${method} {{base}}/echo`)).method, method);
    }
  },
  async "send never sends another method than the one written"({ lib, base }) {
    const lab = lib.createClient();
    try {
      await lab.send({ method: "FROB", url: `${base}/echo` });
      assert.equal(lab.last.status, 400, "the server knows no such method, and says so");
    } catch (error) {
      assert.ok(error instanceof lib.UnsendableRequestError, String(error));
      assert.match(error.message, /"FROB": the fetch of this runtime would send GET/);
    }
  },
  async "send gives HEAD an empty body and keeps its headers"({ lib, base }) {
    const exchange = await lib.createClient().send(`HEAD ${base}/body?hex=6869&type=text/plain`);
    assert.equal(exchange.status, 200);
    assert.equal(exchange.text, "");
    assert.equal(exchange.headers.get("content-length"), "2");
    assert.equal(exchange.json, undefined);
  },
  async "send refuses a body with GET and HEAD if its fetch does, and says which runtimes send it"({
    lib,
    base,
  }) {
    for (const method of ["GET", "HEAD"]) {
      const client = lib.createClient({ fetch });
      await assert.rejects(client.send(`${method} ${base}/echo\n\nbody`), (error: Error) => {
        assert.equal(error.name, "UnsendableRequestError");
        assert.match(
          error.message,
          /with a body: the fetch of this client refuses it; Node, Deno /,
        );
        return true;
      });
      assert.equal(client.history.length, 0);
    }
  },
  async "send refuses CONNECT and TRACE, with the reason"({ lib, base }) {
    for (const method of ["CONNECT", "TRACE"]) {
      await assert.rejects(lib.createClient().send({ method, url: `${base}/echo` }), {
        name: "UnsendableRequestError",
        message: `Cannot send the method "${method}": fetch forbids CONNECT, TRACE and TRACK`,
      });
    }
  },
  async "send refuses URLs that do not parse and schemes other than http and https"({ lib }) {
    const client = lib.createClient();
    await assert.rejects(client.send({ url: "http://[" }), /URL "http:\/\/\[": it is not valid/);
    await assert.rejects(client.send({ url: "" }), /URL "": it is empty/);
    await assert.rejects(
      client.send({ url: "{{base}}/users" }),
      /is not valid; only request texts have placeholders, as in client\.send\(`GET/,
    );
    await assert.rejects(
      client.send({ url: "ftp://127.0.0.1/a" }),
      /the scheme "ftp" is not supported/,
    );
    await assert.rejects(
      client.send("GET file:///etc/passwd"),
      /the scheme "file" is not supported/,
    );
  },
  async "send sends a text body as its UTF-8 bytes, and nothing is added but what it says"(
    context,
  ) {
    const sent = await echo(context, "POST {{base}}/echo\n\nZürich €");
    assert.equal(sent.body, "Zürich €");
    assert.equal(sent.headers["content-length"], "11");
    assert.equal(sent.headers["content-type"], undefined);
  },
  async "send adds Content-Type to a JSON body and says so"({ lib, base }) {
    const { request, json } = await lib.createClient().send(`POST ${base}/echo\n\n{"a": 1}`);
    assert.equal(explore(json).headers["content-type"], "application/json");
    assert.deepEqual(request.added, ["Content-Type"]);
    assert.deepEqual(request.headers[0], ["Content-Type", "application/json"]);
  },
  async "send warns of a JSON body that does not parse and sends it"({ lib, base }) {
    const { warnings, json } = await lib.createClient().send(`POST ${base}/echo\n\n{"a": x}`);
    assert.equal(explore(json).body, '{"a": x}');
    assert.equal(warnings.length, 1);
  },
  async "send sends each of repeated headers, which a fetch that is handed in joins"(context) {
    const text = "GET {{base}}/echo\nX-A: 1\nX-A: 2\nCookie: a=1\nCookie: b=2";
    const { headers } = await echo(context, text);
    assert.match(String(headers["x-a"]), /^1(?:, | \| )2$/);
    assert.match(String(headers.cookie), /^a=1(?:; | \| )b=2$/);
  },
  async "send sends header values beyond ASCII as UTF-8"(context) {
    const { hex } = await echo(context, "GET {{base}}/echo\nX-Latin: Zürich\nX-Wide: 5 € 語");
    assert.equal(hex["x-latin"], utf8Hex("Zürich"));
    assert.equal(hex["x-wide"], utf8Hex("5 € 語"));
  },
  async "send sends User-Agent, Authorization and Accept as written"(context) {
    const text = "GET {{base}}/echo\nUser-Agent: me\nAuthorization: Bearer x\nAccept: text/csv";
    const { headers } = await echo(context, text);
    assert.equal(headers["user-agent"], "me");
    assert.equal(headers.authorization, "Bearer x");
    assert.equal(headers.accept, "text/csv");
  },
  async "send refuses a header value with a control character"({ lib, base }) {
    const lab = lib.createClient();
    await assert.rejects(lab.send({ url: `${base}/echo`, headers: { "X-A": "a\u0001b" } }), {
      name: "UnsendableRequestError",
      message: 'Cannot send the header "X-A": its value contains the control character U+0001',
    });
    for (const value of ["a\u0001b", "a\nb"]) {
      lab.setVar("value", value);
      await assert.rejects(lab.send(`GET ${base}/echo\nX-A: {{value}}`), {
        name: "InvalidHeaderError",
      });
    }
  },
  async "send warns of headers that fetch does not carry as written"({ lib, base }) {
    const unsendable = [
      "Content-Length: 9",
      "Connection: close",
      "Expect: 100-continue",
      "Transfer-Encoding: chunked",
      "Upgrade: h2c",
      "Keep-Alive: 5",
      // The other ones are warnings of the text.
      "Host: x.test",
    ];
    // A fetch that is handed in may be any.
    const { warnings, json, request } = await lib
      .createClient({ fetch })
      .send(`POST ${base}/echo\n${unsendable.join("\n")}\n\nhey`);
    assert.deepEqual(
      warnings.map((warning) => /"(.+?)"/.exec(warning)?.[1]),
      unsendable,
    );
    assert.equal(explore(json).headers["content-length"], "3");
    assert.equal(explore(json).headers.host, new URL(base).host);
    assert.deepEqual(request.headers, []);
  },
  async "send says nothing of such headers where they change nothing"({ lib, base }) {
    const { host } = new URL(base);
    const { warnings } = await lib
      .createClient()
      .send(`POST ${base}/echo\nHost: ${host}\nContent-Length: 3\nConnection: keep-alive\n\nhey`);
    assert.deepEqual(warnings, []);
  },
  async "send turns user info of a URL into Authorization, unless one is written"(context) {
    const address = context.base.replace("http://", "http://us%40er:p%C3%A4ss@");
    const sent = await echo(context, `GET ${address}/echo`);
    assert.equal(
      sent.headers.authorization,
      `Basic ${Buffer.from("us@er:päss").toString("base64")}`,
    );
    const written = await echo(context, `GET ${address}/echo\nAuthorization: Bearer x`);
    assert.equal(written.headers.authorization, "Bearer x");
  },
  async "send encodes line breaks in a URL and shows the URL as sent and as written"({
    lib,
    base,
  }) {
    const lab = lib.createClient();
    lab.setVar("part", "a\nb c");
    const { request } = await lab.send(`GET ${base}/echo?q={{part}}`);
    assert.equal(request.writtenUrl, `${base}/echo?q=a\nb c`);
    assert.equal(request.url, `${base}/echo?q=a%0Ab%20c`);
  },
  async "send takes a spec whose strings are not templates, and keeps the digits of its JSON"({
    lib,
    base,
  }) {
    const lab = lib.createClient({ headers: { "X-Client": "1", "X-Both": "client" } });
    const { json } = await lab.send({
      url: `${base}/echo`,
      headers: { "X-Both": "{{spec}}" },
      json: { id: 9007199254740993123n, at: new Date(0) },
    });
    assert.equal(explore(json).method, "POST");
    assert.equal(explore(json).body, '{"id":9007199254740993123,"at":"1970-01-01T00:00:00.000Z"}');
    assert.equal(explore(json).headers["x-both"], "{{spec}}");
    assert.equal(explore(json).headers["x-client"], "1");
    const bytes = new Uint8Array([0, 255, 1]);
    const binary = await lab.send({ method: "PUT", url: `${base}/echo`, body: bytes });
    assert.equal(explore(binary.json).bytes, 3);
  },
  async "sendAll sends requests in order, sets variables on the way and tells each exchange"({
    lib,
    base,
  }) {
    const lab = lib.createClient();
    const seen: number[] = [];
    const text = `@base = ${base}\nGET {{base}}/status/201\n\n###\n@code = 404\n# @name gone\nGET {{base}}/status/{{code}}`;
    const all = await lab.sendAll(text, { onExchange: (exchange) => seen.push(exchange.status) });
    assert.deepEqual(
      all.map(({ status }) => status),
      [201, 404],
    );
    assert.deepEqual(seen, [201, 404]);
    assert.equal(all[1]?.request.name, "gone");
    assert.equal(lab.last, all[1]);
    assert.equal(lab.getVar("base"), base);
    assert.deepEqual(lab.history, all);
  },
  async "send tries again where it is asked to, and never otherwise"({ lib, base }) {
    const lab = lib.createClient();
    assert.equal((await lab.send(`GET ${base}/flaky/${Math.random()}`)).status, 503);
    const again = await lab.send(`GET ${base}/flaky/${Math.random()}`, { retry: 1 });
    assert.equal(again.status, 200);
    assert.equal(again.text, "2");
    assert.equal((await lab.send(`GET ${base}/status/503`, { retry: 1 })).status, 503);
  },
  async "send reads a body from a file through the function it was given"({ lib, base }) {
    const bytes = new TextEncoder().encode("Hello {{name}}");
    const lab = lib.createClient({ readFile: async () => bytes });
    lab.setVar("name", "Ada");
    const plain = await lab.send(`POST ${base}/echo\n\n< ./hello.txt`);
    assert.equal(explore(plain.json).body, "Hello {{name}}");
    const filled = await lab.send(`POST ${base}/echo\n\n<@ ./hello.txt`);
    assert.equal(explore(filled.json).body, "Hello Ada");
    await assert.rejects(
      lib.createClient().send(`POST ${base}/echo\n\n< ./hello.txt`),
      /Cannot read the body from ".\/hello.txt": this client has no access to files/,
    );
  },
  async "an exchange shows itself as text, in Jupyter and as JSON"({ lib, base }) {
    const lab = lib.createClient();
    lab.setVar("token", "s3cret-token", { secret: true });
    const exchange = await lab.send(
      `GET ${base}/echo?t={{token}}\nAuthorization: Bearer {{token}}`,
    );
    assert.match(String(exchange), /200 OK/);
    assert.equal(exchange[lib.jupyterDisplay]()["text/plain"], String(exchange));
    const json = JSON.stringify(exchange);
    assert.equal(JSON.parse(json).status, 200);
    assert.ok(!json.includes("s3cret"), json);
  },
});
