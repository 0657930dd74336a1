import assert from "node:assert/strict";
import type { Context } from "./check.ts";
import { type Check, checks } from "./check.ts";
import { pieces, sendNext } from "./pieces.ts";

/** Files in memory, with what became of them. */
function createFiles(failAt = Infinity) {
  const files = new Map<string, string>();
  const log: string[] = [];
  const openFileForWriting: NonNullable<
    NonNullable<Parameters<Context["lib"]["createClient"]>[0]>["openFileForWriting"]
  > = async (path, { replace, resume }) => {
    if (resume) return continued(path);
    const name = replace || !files.has(path) ? path : `${path}-1`;
    let text = "";
    log.push(`open ${name}`);
    return {
      path: name,
      async write(bytes) {
        text += new TextDecoder().decode(bytes);
        if (text.length > failAt) throw new Error("No space left on the device");
      },
      async commit() {
        files.set(name, text);
        log.push(`commit ${name}`);
      },
      async discard() {
        log.push(`discard ${name}`);
      },
    };
  };
  const continued = (path: string) => ({
    path,
    size: files.get(path)?.length ?? 0,
    async write(bytes: Uint8Array) {
      files.set(path, (files.get(path) ?? "") + new TextDecoder().decode(bytes));
    },
    commit: async () => undefined,
    discard: async () => undefined,
  });
  return { files, log, openFileForWriting };
}

/** Answers that are written into files. */
export const downloadChecks: readonly Check[] = checks({
  async "a body is written as it comes, with progress, and the exchange says where to"({
    lib,
    base,
  }) {
    const { files, log, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting });
    const progress: unknown[] = [];
    const url = pieces(base, "text/plain", ["one ", "two"], "&ms=0&length");
    const exchange = await lab.download(`GET ${url}&gate=download`, "a.txt", {
      onProgress: ({ received, total }) => {
        progress.push([received, total]);
        void sendNext(base, "download");
      },
    });
    assert.deepEqual([...files], [["a.txt", "one two"]]);
    assert.deepEqual(log, ["open a.txt", "commit a.txt"]);
    assert.deepEqual(progress, [
      [4, 7],
      [7, 7],
      [7, 7],
    ]);
    assert.equal(exchange.text, "one two");
    assert.deepEqual(exchange.saved, { path: "a.txt", bytes: 7 });
    assert.match(String(exchange), /^Saved 7 bytes to a\.txt in [\d.]+ m?s$/m);
    assert.deepEqual([exchange.warnings, exchange.notes], [[], []]);
    const again = await lab.download({ url }, "a.txt");
    assert.equal(again.saved?.path, "a.txt-1");
    await lab.download({ url }, "a.txt", { replace: true });
    assert.equal(files.size, 2);
  },
  async "what is larger than memory may hold is written whole, its beginning kept"({ lib, base }) {
    const { files, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting, maxBodyBytes: 1000 });
    const exchange = await lab.download(`GET ${base}/body?hex=${"61".repeat(4000)}`, "big");
    assert.equal(files.get("big")?.length, 4000);
    assert.equal(exchange.cut, false);
    const { bytes, cut, saved } = await lab.download(
      `GET ${pieces(
        base,
        "text/plain",
        Array.from({ length: 3 }, () => "x".repeat(4000)),
        "&ms=0",
      )}`,
      "small",
    );
    assert.deepEqual([bytes.byteLength, cut, saved?.bytes], [12_000, false, 12_000]);
  },
  async "what is larger than the exchange keeps has no warning, and its whole size"({ lib, base }) {
    const { files, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting });
    const heads: unknown[] = [];
    const request = { url: `${base}/echo`, method: "POST", body: "x".repeat(80_000) };
    const exchange = await lab.download(request, "big", {
      onHeaders: ({ savedTo }) => heads.push(savedTo),
    });
    const length = files.get("big")?.length ?? 0;
    assert.ok(length > 80_000);
    assert.deepEqual([exchange.cut, exchange.warnings, heads], [true, [], ["big"]]);
    assert.equal(exchange.sizes.response.body, length);
    const shown = String(exchange);
    assert.match(shown, /^Saved 8[01] kB to big in /m);
    assert.doesNotMatch(shown, /incomplete/);
  },
  async "a download goes on where it stopped, if the file is still the same"({ lib, base }) {
    const { files, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting });
    const file = (more: string): string => `GET ${base}/file?text=abcdefgh${more}`;
    const resume = { resume: true };
    const begin = async (path: string): Promise<void> => {
      await assert.rejects(lab.download(file("&drop=3"), path, resume), { code: "cut-short" });
      assert.equal(files.get(path), "abc");
    };
    await begin("a.txt");
    const rest = await lab.download(file(""), "a.txt", resume);
    assert.equal(files.get("a.txt"), "abcdefgh");
    assert.deepEqual(rest.saved, { path: "a.txt", bytes: 5, offset: 3 });
    const sent = new Map(rest.request.headers);
    assert.deepEqual([sent.get("Range"), sent.get("If-Range")], ["bytes=3-", '"1"']);
    assert.match(String(rest), /^Saved the last 5 bytes of 8 bytes to a\.txt in /m);
    const again = await lab.download(file(""), "a.txt", resume);
    assert.match(String(again), /^a\.txt is complete: it has all its 8 bytes$/m);
    assert.deepEqual([again.status, again.warnings], [416, []]);

    await begin("b.txt");
    await assert.rejects(lab.download(file("&tag=2&drop=5"), "b.txt", resume), {
      code: "cut-short",
    });
    assert.equal(files.get("b.txt"), "abc", "another version does not continue the old part");
    const whole = await lab.download(file("&tag=2"), "b.txt", resume);
    assert.deepEqual(whole.saved, { path: "b.txt", bytes: 8 });
    assert.equal(files.get("b.txt"), "abcdefgh");
  },
  async "the response of a request that the text refers to is not saved"({ lib, base }) {
    const { files, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting });
    await lab.send(`# @name first\nGET ${base}/body?hex=31`);
    const exchange = await lab.download(`# @forceRef first\nGET ${base}/body?hex=32`, "a.txt");
    assert.deepEqual([...files], [["a.txt", "2"]]);
    assert.deepEqual([exchange.text, lab.history.at(-2)?.text], ["2", "1"]);
  },
  async "two requests of a text are not saved to one file"({ lib, base }) {
    const { files, log, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting });
    const text = `GET ${base}/body?hex=31\n###\nGET ${base}/body?hex=32`;
    await assert.rejects(lab.download(text, "a.txt"), {
      name: "UnsendableRequestError",
      message: /^Cannot save another body to "a.txt": the text has several requests/,
    });
    assert.deepEqual([[...files], log], [[], ["open a.txt", "discard a.txt"]]);
  },
  async "an empty body makes an empty file"({ lib, base }) {
    const { files, openFileForWriting } = createFiles();
    await lib.createClient({ openFileForWriting }).download(`GET ${base}/body?hex=`, "none");
    assert.deepEqual([...files], [["none", ""]]);
  },
  async "an answer that is no success is not saved"({ lib, base }) {
    const { files, log, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting });
    const exchange = await lab.download(`GET ${base}/status/404`, "a.txt");
    assert.equal(exchange.status, 404);
    assert.deepEqual(exchange.warnings, [
      'Nothing was saved to "a.txt": the status is 404 Not Found',
    ]);
    assert.deepEqual([files.size, log.length], [0, 0]);
  },
  async "no partial file stays behind, whatever goes wrong"({ lib, base, raw }) {
    const broken = createFiles();
    const lab = lib.createClient({ openFileForWriting: broken.openFileForWriting });
    await assert.rejects(lab.download(`GET ${raw}/reset-in-body`, "a"), { code: "cut-short" });
    await assert.rejects(
      lab.download(`GET ${base}/endless`, "b", {
        onProgress: ({ received }) => received > 100_000 && lab.abort(),
      }),
      { code: "aborted" },
    );
    assert.deepEqual(broken.log, ["open a", "discard a", "open b", "discard b"]);
    const full = createFiles(3);
    await assert.rejects(
      lib
        .createClient({ openFileForWriting: full.openFileForWriting })
        .download(`GET ${base}/body?hex=61616161`, "c"),
      /No space left/,
    );
    assert.deepEqual(full.log, ["open c", "discard c"]);
    assert.equal(broken.files.size + full.files.size, 0);
  },
  async "a line >> saves the answer of a request text, >>! in the place of an older file"({
    lib,
    base,
  }) {
    const { files, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting });
    lab.setVar("name", "users");
    const get = `GET ${base}/body?hex=6869`;
    await lab.sendAll(
      `${get}\n\n>> {{name}}.txt\n\n###\nPOST ${base}/echo\n\nsent\n>>! {{name}}.json\n\n###\n${get}\n\n>> users.txt`,
    );
    assert.deepEqual([...files.keys()], ["users.txt", "users.json", "users.txt-1"]);
    assert.equal(files.get("users.txt"), "hi");
    assert.equal(JSON.parse(files.get("users.json") ?? "").body, "sent");
    await lab.send(`curl ${base}/body?hex=6a -o users.txt`);
    assert.equal(files.get("users.txt"), "j");
    await lab.send(`curl ${base}/body?hex=6b -o '{{name}}.curl'`);
    assert.equal(files.get("users.curl"), "k");
  },
  async "the value of a path leads to no other folder"({ lib, base }) {
    const { files, openFileForWriting } = createFiles();
    const lab = lib.createClient({ openFileForWriting });
    const url = `${base}/body?hex=6869`;
    const paths = [
      ["{{v}}", "/etc/x"],
      ["{{v}}", "C:x"],
      ["out/{{v}}.txt", "../x"],
      ["out/{{v}}.txt", "a/../../x"],
      ["../out/{{v}}", "..\\x"],
    ] as const;
    for (const [path, value] of paths) {
      lab.setVar("v", value);
      for (const text of [`GET ${url}\n\n>> ${path}`, `curl ${url} -o '${path}'`]) {
        await assert.rejects(lab.send(text), {
          name: "RequestSyntaxError",
          message: /Cannot save the response to ".*": a value leads out of its folder/,
        });
      }
    }
    assert.equal(files.size, 0);
    lab.setVar("v", "a/./b/../x");
    await lab.send(`GET ${url}\n\n>> ../out/{{v}}`);
    assert.deepEqual([...files.keys()], ["../out/a/./b/../x"]);
  },
  async "a client that has no files says so before anything is sent"({ lib, closed }) {
    await assert.rejects(lib.createClient().download(`GET ${closed}/`, "a.txt"), {
      name: "UnsendableRequestError",
      message:
        'Cannot save the body to "a.txt": this client cannot write files; give createClient an openFileForWriting function',
    });
  },
});
