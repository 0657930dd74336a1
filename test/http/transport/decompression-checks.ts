import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Client } from "../../../lib/mod.ts";
import { type Check, checks } from "../check.ts";
import { withRawServer } from "./raw-server.ts";

const TEXT = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, root: Math.sqrt(id) })));

const CODINGS: readonly (readonly [coding: string, compress: (text: string) => Buffer])[] = [
  ["gzip", (text) => gzipSync(text)],
  ["x-gzip", (text) => gzipSync(text)],
  ["deflate", (text) => deflateSync(text)],
  ["deflate", (text) => deflateRawSync(text)],
  ["br", (text) => brotliCompressSync(text)],
];

/** A header of gzip with all optional fields. */
const FULL = Buffer.from("1f8b081e00000000000304006162630a6e616d6500636f6d6d656e74000000", "hex");
const zipped = gzipSync(TEXT);
const data = zipped.subarray(10);

const BEHIND = "Bytes behind the compressed data are ignored";
const NO_SUM = "The compressed data end without their checksum";

/** Bodies that are complete, whatever is behind their data. */
const COMPLETE: Readonly<
  Record<string, [coding: string, bytes: readonly Uint8Array[], text?: string, remark?: string]>
> = {
  "a line break behind gzip": ["gzip", [zipped, Buffer.from("\r\n")], TEXT, BEHIND],
  "junk behind gzip": ["gzip", [zipped, Buffer.from("junk, and more of it")], TEXT, BEHIND],
  "zeros behind gzip": ["gzip", [zipped, Buffer.alloc(20)]],
  "junk behind deflate": ["deflate", [deflateSync(TEXT), Buffer.from("junk")], TEXT, BEHIND],
  "junk behind Brotli": ["br", [brotliCompressSync(TEXT), Buffer.from("junk")], TEXT, BEHIND],
  "gzip of three members": ["gzip", [zipped, gzipSync(""), zipped], TEXT + TEXT],
  "gzip with all fields of its header": ["gzip", [FULL, data]],
  "gzip without its checksum": ["gzip", [zipped.subarray(0, -8)], TEXT, NO_SUM],
  "gzip with half of its checksum": ["gzip", [zipped.subarray(0, -3)], TEXT, NO_SUM],
  "an empty body": ["gzip", [], ""],
  "gzip in Brotli": ["gzip, br", [brotliCompressSync(zipped)]],
};

/** Sends bodies in pieces, which differ from run to run of the loop and not from run to run of the test. */
async function receive(
  client: Client,
  coding: string,
  body: Buffer,
  pieces: number,
): ReturnType<Client["send"]> {
  const answer = async (socket: Socket): Promise<void> => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const size = Math.max(1, Math.ceil(body.length / pieces));
    for (let at = 0; at < body.length; at += size) {
      socket.write(body.subarray(at, at + size));
      await setImmediate();
    }
  };
  let sending: ReturnType<Client["send"]> | undefined;
  await withRawServer(
    (socket) => void answer(socket),
    async ({ url }) => {
      sending = client.send({ url: url.href });
      await sending.catch(() => undefined);
    },
  );
  return await (sending as ReturnType<Client["send"]>);
}

/** What becomes of bodies with a Content-Encoding. */
export const decompressionChecks: readonly Check[] = checks({
  ...Object.fromEntries(
    Object.entries(COMPLETE).map(
      ([name, [coding, bytes, text = TEXT, remark]]) =>
        [
          `${name} is read whole`,
          async ({ lib, outside }) => {
            for (const pieces of [1, 2, 7]) {
              const client = lib.createClient(outside);
              const exchange = await receive(client, coding, Buffer.concat(bytes), pieces);
              assert.equal(exchange.text, text);
              assert.equal(exchange.cut, false);
              assert.deepEqual(exchange.warnings, remark === undefined ? [] : [remark]);
            }
          },
        ] satisfies [string, Check["run"]],
    ),
  ),
  async "curl saves the bytes as they came, unless it has asked for compressed ones"({
    lib,
    outside,
  }) {
    const seen: string[] = [];
    const answer = (socket: Socket, message: string): void => {
      seen.push(/\r\naccept-encoding: (.*)\r\n/i.exec(message)?.[1] ?? "none");
      const head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length:";
      socket.write(`${head} ${zipped.length}\r\n\r\n`);
      socket.write(zipped);
    };
    const folder = mkdtempSync(join(tmpdir(), "restlab-curl-"));
    const path = join(folder, "saved");
    await withRawServer(answer, async ({ url }) => {
      const { openFileForWriting } = await import("../../../kernel/platform/write-file.ts");
      const client = lib.createClient({ ...outside, openFileForWriting });
      await client.send(`curl -o ${path} ${url.href}`);
      assert.ok(readFileSync(path).equals(zipped));
      await client.send(`curl --compressed -o ${path} ${url.href}`);
      assert.equal(readFileSync(path, "utf8"), TEXT);
      assert.equal((await client.send(`curl ${url.href}`)).text, TEXT, "it is shown");
    });
    assert.deepEqual(seen, ["none", "gzip, br", "none"]);
    rmSync(folder, { recursive: true });
  },
  async "compressed data that end early are an error with what has arrived"({ lib, outside }) {
    for (const [coding, compress] of CODINGS) {
      const whole = compress(TEXT);
      for (const share of [0.01, 0.2, 0.5, 0.8, 0.99]) {
        // The checksum alone may be missing.
        const length = Math.min(Math.floor(whole.length * share), whole.length - 12);
        const client = lib.createClient(outside);
        const error = await receive(client, coding, whole.subarray(0, length), 3).catch(
          (thrown) => thrown,
        );
        assert.equal(error.code, "decompression", `${coding} ${share}`);
        assert.match(error.message, /the compressed data end too early/);
        const { status, text } = error.partial;
        assert.equal(status, 200);
        assert.equal(text, TEXT.slice(0, text.length));
        if (share > 0.3) assert.ok(text.length > 1_000);
      }
    }
  },
  async "compressed data that are damaged are an error"({ lib, outside }) {
    const damaged = Buffer.from(zipped);
    damaged.writeUInt32LE(1, zipped.length - 8);
    const header = Buffer.from("1f8b0808000000000003", "hex");
    const endless = Buffer.concat([header, Buffer.alloc(300_000, 65)]);
    const begun = Buffer.concat([zipped, zipped.subarray(0, 6)]);
    for (const body of [
      damaged,
      endless,
      begun,
      Buffer.from("plain text"),
      Buffer.from("\u001f\u008b", "latin1"),
    ]) {
      const sending = receive(lib.createClient(outside), "gzip", body, 1);
      await assert.rejects(sending, { code: "decompression" });
    }
  },
});
