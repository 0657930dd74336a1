import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { NoResponseError, RequestSpec } from "../../../lib/mod.ts";
import { explore } from "../../support/explore.ts";
import { type Check, checks } from "../check.ts";

const LARGE = 64 * 1024 * 1024;
const FORM = "application/x-www-form-urlencoded";

/** Bodies, as text and as options. */
export const bodyChecks: readonly Check[] = checks({
  async "form and query are encoded, and what is written as a form"({ lib, base }) {
    const lab = lib.createClient();
    const fields = { name: "Ada & Co", tag: ["a b", "ü"], none: undefined };
    const form = (await lab.send({ url: `${base}/echo`, form: fields })).json;
    assert.equal(explore(form).method, "POST");
    assert.equal(explore(form).headers["content-type"], FORM);
    assert.equal(explore(form).body, "name=Ada+%26+Co&tag=a+b&tag=%C3%BC");
    const query = (await lab.send({ url: `${base}/echo?x=1#top`, query: fields })).json;
    assert.equal(explore(query).url, "/echo?x=1&name=Ada%20%26%20Co&tag=a%20b&tag=%C3%BC");
    const text = await lab.send(
      `POST ${base}/echo\nContent-Type: ${FORM}\n\nname=Ada & Co\n&tag=a b`,
    );
    assert.equal(explore(text.json).body, "name=Ada%20&%20Co&tag=a%20b");
  },
  async "a body is what fetch takes, with its type"({ lib, base, folder, outside }) {
    await writeFile(join(folder, "note.txt"), "from a file");
    const lab = lib.createClient(outside);
    const data = new FormData();
    data.append("note", "ü");
    data.append("file", new File(["x"], "a.txt", { type: "text/plain" }));
    const bytes = new TextEncoder().encode("-grüße-");
    async function* pieces(): AsyncGenerator<string | Uint8Array> {
      yield "grü";
      yield new TextEncoder().encode("ße");
    }
    const stream = (): ReadableStream<Uint8Array> => {
      return new Response("grüße").body as ReadableStream<Uint8Array>;
    };
    const bodies: readonly (readonly [RequestSpec["body"], string | RegExp, string | RegExp])[] = [
      [new URLSearchParams({ a: "1 2", b: "ü" }), "a=1+2&b=%C3%BC", FORM],
      [data, /name="note"\r\n\r\nü\r\n[\s\S]*filename="a.txt"/, /^multipart\/form-data; boundary=/],
      [new Blob(["grüße"], { type: "text/x-note" }), "grüße", "text/x-note"],
      [new Blob(["grüße"]), "grüße", "undefined"],
      [bytes.buffer, "-grüße-", "undefined"],
      [new DataView(bytes.buffer, 1, bytes.length - 2), "grüße", "undefined"],
      [new Uint16Array([0x6161]), "aa", "undefined"],
      [stream(), "grüße", "undefined"],
      [pieces(), "grüße", "undefined"],
      [createReadStream(join(folder, "note.txt")), "from a file", "undefined"],
      [createReadStream(join(folder, "note.txt"), "utf8"), "from a file", "undefined"],
    ];
    const is = (text: string, wanted: string | RegExp): void => {
      if (typeof wanted === "string") assert.equal(text, wanted);
      else assert.match(text, wanted);
    };
    for (const [body, text, type] of bodies) {
      const { method, ...echo } = explore((await lab.send({ url: `${base}/echo`, body })).json);
      assert.equal(method, "POST");
      is(echo.body, text);
      is(String(echo.headers["content-type"]), type);
    }
    const beside = await lab.send(`POST ${base}/echo`, { body: new URLSearchParams({ a: "1" }) });
    assert.equal(explore(beside.json).body, "a=1");
    const shut = await lab.send({ url: `${base}/echo`, body: stream(), compress: "gzip" });
    const { headers, bytes: sent } = explore(shut.json);
    assert.deepEqual([headers["content-encoding"], sent > 0], ["gzip", true]);
  },
  async "a stream is sent once: what needs it again fails, and says so"({ lib, base }) {
    const lab = lib.createClient({ retry: { limit: 1, delay: 1, methods: ["PUT"] } });
    const body = new Response("once").body as ReadableStream<Uint8Array>;
    const text =
      /^NoResponseError: PUT .* its body could not be sent, it is a stream, which can be read once/;
    const said = async (sent: Promise<unknown>): Promise<string> =>
      String(await sent.catch((error) => error));
    const to = encodeURIComponent("/echo");
    const redirect = { url: `${base}/redirect/307?to=${to}`, method: "PUT", body };
    assert.match(await said(lab.send(redirect)), text);
    assert.match(await said(lab.send({ url: `${base}/echo`, method: "PUT", body })), text);
    async function* fails(): AsyncGenerator<string> {
      yield "a";
      throw new Error("the source is broken");
    }
    const broken = lab.send({ url: `${base}/echo`, body: fails() });
    assert.match(await said(broken), /its body could not be sent, the source is broken/);
    async function* numbers(): AsyncGenerator<number> {
      yield 5;
    }
    const typed = lab.send({ url: `${base}/echo`, body: numbers() as never });
    assert.match(await said(typed), /it is a stream of number, not of bytes or text/);
  },
  async "a URL and a Request are requests, of every call"({ lib, base }) {
    const lab = lib.createClient({ headers: { "X-Lab": "1" } });
    const request = (): Request =>
      new Request(`${base}/echo`, {
        method: "PUT",
        body: "héllo",
        headers: { "X-One": "1", "Content-Type": "text/x-note" },
      });
    const sent = explore((await lab.send(request())).json);
    assert.deepEqual([sent.method, sent.body], ["PUT", "héllo"]);
    assert.deepEqual([sent.headers["x-one"], sent.headers["x-lab"]], ["1", "1"]);
    assert.equal(sent.headers["content-type"], "text/x-note");
    assert.equal((await lab.send(new URL(`${base}/echo`))).status, 200);
    const same = request();
    const both = await lab.all([same, same, new URL(`${base}/nowhere`)]);
    assert.deepEqual(
      both.exchanges.map(({ status }) => status),
      [200, 200, 404],
    );
    const pages = await lab.paginate(request()).all();
    assert.deepEqual(
      pages.map(({ json }) => explore(json).body),
      ["héllo"],
    );
    const manual = new Request(`${base}/redirect/302?to=/echo`, { redirect: "manual" });
    assert.equal((await lab.send(manual)).status, 302);
    const read = request();
    await read.text();
    const used = await lab.send(read).catch((error: unknown) => error);
    assert.match(
      String(used),
      /^TypeError: Cannot send the Request: its body has been read before/,
    );
    const signal = AbortSignal.abort(new Error("enough"));
    const stopped = await lab.send(new Request(base, { signal })).catch((error: unknown) => error);
    assert.match(String(stopped), /^AbortError: .*aborted \(enough\)/);
  },
  async "multipart sends text, bytes and files, and the exchange shows them"({
    lib,
    base,
    folder,
    outside,
  }) {
    const lab = lib.createClient(outside);
    const exchange = await lab.send({
      url: `${base}/echo`,
      multipart: {
        note: "ü",
        list: [1, 2],
        picture: { file: join(folder, "picture.png") },
      },
    });
    const { headers, body, bytes } = explore(exchange.json);
    const [, boundary] =
      /^multipart\/form-data; boundary=(\S+)$/.exec(headers["content-type"]) ?? [];
    assert.match(
      body,
      new RegExp(`^--${boundary}\\r\\nContent-Disposition: form-data; name="note"`),
    );
    assert.match(
      body,
      /name="picture"; filename="picture.png"\r\nContent-Type: image\/png\r\n\r\n/,
    );
    assert.equal(headers["content-length"], String(bytes));
    assert.equal(exchange.sizes.request.body, bytes);
    assert.equal((exchange.request.body as Uint8Array).byteLength, bytes);
  },
  async "a backslash is part of a file name, but in paths of Windows"({ lib, base, outside }) {
    const lab = lib.createClient({ ...outside, openFile: async () => new Blob(["x"]) });
    for (const [file, name] of [
      ["a/back\\slash.csv", "back\\slash.csv"],
      ["C:\\a\\b.csv", "b.csv"],
      [".\\b.csv", "b.csv"],
    ] as const) {
      const { json } = await lab.send({ url: `${base}/echo`, multipart: { f: { file } } });
      const head = `filename="${name}"\r\nContent-Type: text/csv\r\n`;
      assert.ok(explore(json).body.includes(head), explore(json).body);
    }
  },
  async "multipart text may contain file lines and is sent with CRLF"({
    lib,
    base,
    folder,
    outside,
  }) {
    const lab = lib.createClient(outside);
    lab.setVar("folder", folder);
    lab.setVar("name", 'A"da');
    const { json } = await lab.send(
      `POST ${base}/echo\nContent-Type: multipart/form-data; boundary=cut\n\n--cut\nContent-Disposition: form-data; name="a"\n\n{{name}}\n--cut\nContent-Disposition: form-data; name="f"; filename="small.json"\n\n<@ {{folder}}/small.json\n--cut--`,
    );
    assert.equal(
      explore(json).body,
      '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\nA"da\r\n--cut\r\nContent-Disposition: form-data; name="f"; filename="small.json"\r\n\r\n{"name": "A"da"}\r\n--cut--\r\n',
    );
  },
  async "GraphQL is JSON with query and variables, from text and from options"({ lib, base }) {
    const lab = lib.createClient();
    lab.setVar("id", 9007199254740993n);
    const text = await lab.send(
      `POST ${base}/echo\nX-REQUEST-TYPE: GraphQL\n\nquery One($id: ID) { user(id: $id) { name } }\n\n{ "id": {{id}} }`,
    );
    assert.equal(explore(text.json).headers["x-request-type"], undefined);
    assert.equal(explore(text.json).headers["content-type"], "application/json");
    assert.match(explore(text.json).body, /"variables": \{ "id": 9007199254740993 \}/);
    const graphql = { query: "{ me }", variables: { n: 9007199254740993n } };
    const option = await lab.send({ url: `${base}/echo`, graphql });
    assert.match(explore(option.json).body, /"n":\s*9007199254740993/);
  },
  async "a large file is streamed with its length"({ lib, site, folder, outside }) {
    const lab = lib.createClient(outside);
    lab.setVar("folder", folder);
    const exchange = await lab.send(`POST ${site}/upload\n\n< {{folder}}/large.bin`);
    assert.equal(explore(exchange.json).bytes, LARGE);
    assert.equal(explore(exchange.json).length, String(LARGE));
    assert.equal(exchange.request.body, undefined);
    assert.deepEqual(exchange.request.streamed, { size: LARGE, path: `${folder}/large.bin` });
    assert.equal(exchange.sizes.request.body, LARGE);
    const multipart = { file: { file: join(folder, "large.bin") }, note: "x" };
    const parts = await lab.send({ url: `${site}/upload`, multipart });
    assert.ok(explore(parts.json).bytes > LARGE);
  },
  async "a large file is read no faster than the server receives it"({
    lib,
    site,
    folder,
    outside,
  }) {
    let read = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    const file = await outside.openFile(join(folder, "large.bin"));
    const counted = { size: file.size, stream: () => file.stream().pipeThrough(count) };
    const lab = lib.createClient({ openFile: async () => counted });
    const sent = lab.send(`POST ${site}/patience\n\n< large.bin`);
    sent.catch(() => undefined);
    for (let before = -1; read === 0 || read > before; ) {
      before = read;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    assert.ok(read < LARGE, `${read} bytes were read`);
    await lib.createClient().send(`GET ${site}/resume`);
    assert.equal(explore((await sent).json).bytes, LARGE);
  },
  async "a file that changes while it is sent is an error"({ lib, site }) {
    const bytes = new Uint8Array(65_536);
    const told = 2_097_152;
    const cases: readonly (readonly [pieces: number, Error | undefined, RegExp])[] = [
      [33, undefined, /it grew beyond its 2097152 bytes while it was read/],
      [31, undefined, /it ended after 2031616 of its 2097152 bytes/],
      [31, new Error("the disk is gone"), /the disk is gone/],
    ];
    for (const [pieces, failure, reason] of cases) {
      let left = pieces;
      const stream = (): ReadableStream<Uint8Array> =>
        new ReadableStream({
          pull(controller) {
            if (left-- > 0) controller.enqueue(bytes);
            else if (failure === undefined) controller.close();
            else controller.error(failure);
          },
        });
      const lab = lib.createClient({ openFile: async () => ({ size: told, stream }) });
      await assert.rejects(lab.send(`POST ${site}/upload\n\n< growing.log`), (error: Error) => {
        assert.equal((error as NoResponseError).code, "body");
        assert.match(error.message, /got no response: its body could not be sent, /);
        assert.match(error.message, reason);
        return true;
      });
    }
  },
  async "a streamed body is read again after a redirect"({ lib, site, other, folder, outside }) {
    const url = `${site}/forward/307?to=${encodeURIComponent(`${other}/upload`)}`;
    const body = { file: join(folder, "large.bin") };
    // Too large to be searched for secrets.
    const lab = lib.createClient({ ...outside, crossOriginBody: true });
    const { json, redirects } = await lab.send({ method: "PUT", url, body });
    assert.equal(redirects.length, 1);
    assert.equal(explore(json).bytes, 64 * 1024 * 1024);
  },
  async "a body is compressed when asked for, as an option and by # @compress"({
    lib,
    base,
    site,
  }) {
    const lab = lib.createClient();
    const text = "hello ".repeat(1000);
    const option = await lab.send({ url: `${site}/upload`, body: text, compress: "gzip" });
    assert.equal(explore(option.json).encoding, "gzip");
    assert.ok(explore(option.json).bytes < 200);
    assert.equal(gunzipSync(option.request.body as Uint8Array).toString(), text);
    assert.ok(option.request.added.includes("Content-Encoding"));
    const written = await lab.send(`# @compress deflate\nPOST ${site}/upload\n\n${text}`);
    assert.equal(explore(written.json).encoding, "deflate");
    assert.equal(explore((await lab.send(`POST ${base}/echo\n\nplain`)).json).body, "plain");
  },
  async "two bodies, and missing files, are refused before anything is sent"({
    lib,
    base,
    outside,
  }) {
    const lab = lib.createClient(outside);
    await assert.rejects(lab.send({ url: `${base}/echo`, json: 1, form: { a: 1 } }), {
      name: "TypeError",
      message: "Cannot send the request: it has both json and form; use one of them",
    });
    await assert.rejects(lab.send({ url: `${base}/echo`, body: { file: "/no/such" } }), {
      name: "UnsendableRequestError",
      message: /Cannot read the body from "\/no\/such"/,
    });
    assert.equal(lab.history.length, 0);
  },
});
