import assert from "node:assert/strict";
import { type Check, checks } from "./check.ts";
import { pieces, sendNext } from "./pieces.ts";

/** What is seen of an answer while it arrives. */
export const arrivalChecks: readonly Check[] = checks({
  async "hooks see the head, each piece and the progress of the final answer"({ lib, base }) {
    const seen: string[] = [];
    const progress: unknown[] = [];
    const to = pieces("", "text/plain", ["one", "two"], "&gate=hooks&length");
    const exchange = await lib
      .createClient()
      .send(`GET ${base}/redirect/302?to=${encodeURIComponent(to)}`, {
        onHeaders: ({ status, mediaType, url }) =>
          seen.push(`${status} ${mediaType} ${new URL(url).pathname}`),
        onChunk: async (bytes) => {
          seen.push(new TextDecoder().decode(bytes));
          await sendNext(base, "hooks");
        },
        onProgress: ({ received, total, elapsed }) => {
          assert.ok(elapsed > 0);
          progress.push([received, total]);
        },
      });
    assert.deepEqual(seen, ["200 text/plain /pieces", "one", "two"]);
    assert.deepEqual(progress, [
      [3, 6],
      [6, 6],
      [6, 6],
    ]);
    assert.equal(exchange.text, "onetwo");
    assert.deepEqual(exchange.warnings, []);
  },
  async "a total is not known where nothing says it, or what is said counts compressed bytes"({
    lib,
    base,
  }) {
    const totals = new Set<unknown>();
    const onProgress = ({ total }: { total: unknown }): unknown => totals.add(total);
    const lab = lib.createClient();
    await lab.send(`GET ${pieces(base, "text/plain", ["a"])}`, { onProgress });
    await lab.send(`GET ${base}/body?hex=${"61".repeat(500)}&encoding=gzip`, { onProgress });
    assert.deepEqual([...totals], [undefined]);
  },
  async "a hook that takes its time holds the body up, and the cap holds for it too"({
    lib,
    base,
  }) {
    let open = 0;
    let bytes = 0;
    const exchange = await lib.createClient({ maxBodyBytes: 200_000 }).send(`GET ${base}/endless`, {
      async onChunk(chunk) {
        assert.equal(open, 0);
        open += 1;
        bytes += chunk.byteLength;
        await new Promise((resolve) => setTimeout(resolve, 2));
        open -= 1;
      },
    });
    assert.equal(bytes, 200_000);
    assert.equal(exchange.bytes.byteLength, 200_000);
    assert.equal(exchange.cut, true);
  },
  async "what a hook throws ends the request with that error"({ lib, base }) {
    const lab = lib.createClient();
    const failure = new Error("disk full");
    const fail = (): never => {
      throw failure;
    };
    for (const hook of [{ onHeaders: fail }, { onChunk: fail }, { onProgress: fail }]) {
      await assert.rejects(lab.send(`GET ${base}/endless`, hook), failure);
    }
    await assert.rejects(
      lab.send(`GET ${base}/endless`, { onChunk: () => Promise.reject(failure) }),
      failure,
    );
    assert.equal(lab.pending.length, 0);
  },
  async "what is pending says how far it has come where somebody watches"({ lib, base }) {
    const lab = lib.createClient();
    const seen: unknown[] = [];
    await lab.send(`GET ${pieces(base, "text/plain", ["abc"], "&length")}`, {
      onChunk: () => seen.push(lab.pending.map(({ received, total }) => [received, total])),
    });
    assert.deepEqual(seen, [[[3, 3]]]);
  },
  async "no time limit holds for a stream, and one that is stopped is an answer"({ lib, base }) {
    const lab = lib.createClient({ timeout: 100 });
    const table = [
      ["text/event-stream", "data: 1\n\n"],
      ["application/x-ndjson; charset=utf-8", '{"a":1}\n'],
    ] as const;
    for (const [type, piece] of table) {
      const url = pieces(base, type, [piece, piece, piece], "&ms=80&hang=1");
      let count = 0;
      const exchange = await lab.send(`GET ${url}`, {
        onChunk: () => {
          count += 1;
          if (count === 3) lab.abort("enough");
        },
      });
      assert.equal(exchange.text, piece.repeat(3));
      assert.equal(exchange.cut, true);
      assert.deepEqual(exchange.warnings, [
        `The response was stopped (enough) after ${piece.length * 3} bytes: it may be incomplete`,
      ]);
      assert.equal(lab.last, exchange);
    }
  },
  async "growing text that is stopped is kept, a document that is stopped is an error"({
    lib,
    base,
  }) {
    const lab = lib.createClient();
    const stop = { onChunk: () => void lab.abort() };
    const text = await lab.send(`GET ${pieces(base, "text/plain", ["so far"], "&hang=1")}`, stop);
    assert.equal(text.text, "so far");
    assert.equal(text.cut, true);
    await assert.rejects(
      lab.send(`GET ${pieces(base, "application/json", ["[1,"], "&hang=1")}`, stop),
      { code: "aborted" },
    );
  },
});
