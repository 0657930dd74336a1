import assert from "node:assert/strict";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { NoResponseError } from "../../../lib/mod.ts";
import { type Check, checks } from "../check.ts";

const LARGE = 64 * 1024 * 1024;
const FORM = "application/x-www-form-urlencoded";

/** Bodies, as text and as options. */
export const bodyChecks: readonly Check[] = checks({
  async "form and query are encoded, and what is written as a form"({ lib, base }) {
    const lab = lib.createClient();
    const fields = { name: "Ada & Co", tag: ["a b", "ü"], none: undefined };
    const form = (await lab.send({ url: `${base}/echo`, form: fields })).json;
    assert.equal(form.method, "POST");
    assert.equal(form.headers["content-type"], FORM);
    assert.equal(form.body, "name=Ada+%26+Co&tag=a+b&tag=%C3%BC");
    const query = (await lab.send({ url: `${base}/echo?x=1#top`, query: fields })).json;
    assert.equal(query.url, "/echo?x=1&name=Ada%20%26%20Co&tag=a%20b&tag=%C3%BC");
    const text = await lab.send(
      `POST ${base}/echo\nContent-Type: ${FORM}\n\nname=Ada & Co\n&tag=a b`,
    );
    assert.equal(text.json.body, "name=Ada%20&%20Co&tag=a%20b");
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
    const { headers, body, bytes } = exchange.json;
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
      assert.ok(json.body.includes(head), json.body);
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
      json.body,
      '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\nA"da\r\n--cut\r\nContent-Disposition: form-data; name="f"; filename="small.json"\r\n\r\n{"name": "A"da"}\r\n--cut--\r\n',
    );
  },
  async "GraphQL is JSON with query and variables, from text and from options"({ lib, base }) {
    const lab = lib.createClient();
    lab.setVar("id", 9007199254740993n);
    const text = await lab.send(
      `POST ${base}/echo\nX-REQUEST-TYPE: GraphQL\n\nquery One($id: ID) { user(id: $id) { name } }\n\n{ "id": {{id}} }`,
    );
    assert.equal(text.json.headers["x-request-type"], undefined);
    assert.equal(text.json.headers["content-type"], "application/json");
    assert.match(text.json.body, /"variables": \{ "id": 9007199254740993 \}/);
    const graphql = { query: "{ me }", variables: { n: 9007199254740993n } };
    const option = await lab.send({ url: `${base}/echo`, graphql });
    assert.match(option.json.body, /"n":\s*9007199254740993/);
  },
  async "a large file is streamed with its length"({ lib, site, folder, outside }) {
    const lab = lib.createClient(outside);
    lab.setVar("folder", folder);
    const exchange = await lab.send(`POST ${site}/upload\n\n< {{folder}}/large.bin`);
    assert.equal(exchange.json.bytes, LARGE);
    assert.equal(exchange.json.length, String(LARGE));
    assert.equal(exchange.request.body, undefined);
    assert.deepEqual(exchange.request.streamed, { size: LARGE, path: `${folder}/large.bin` });
    assert.equal(exchange.sizes.request.body, LARGE);
    const multipart = { file: { file: join(folder, "large.bin") }, note: "x" };
    const parts = await lab.send({ url: `${site}/upload`, multipart });
    assert.ok(parts.json.bytes > LARGE);
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
    assert.equal((await sent).json.bytes, LARGE);
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
    assert.equal(json.bytes, 64 * 1024 * 1024);
  },
  async "a body is compressed when asked for, as an option and by # @compress"({
    lib,
    base,
    site,
  }) {
    const lab = lib.createClient();
    const text = "hello ".repeat(1000);
    const option = await lab.send({ url: `${site}/upload`, body: text, compress: "gzip" });
    assert.equal(option.json.encoding, "gzip");
    assert.ok(option.json.bytes < 200);
    assert.equal(gunzipSync(option.request.body as Uint8Array).toString(), text);
    assert.ok(option.request.added.includes("Content-Encoding"));
    const written = await lab.send(`# @compress deflate\nPOST ${site}/upload\n\n${text}`);
    assert.equal(written.json.encoding, "deflate");
    assert.equal((await lab.send(`POST ${base}/echo\n\nplain`)).json.body, "plain");
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
