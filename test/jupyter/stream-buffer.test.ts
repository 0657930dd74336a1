import fc from "fast-check";
import { expect, test } from "vitest";
import type { Header } from "../../kernel/jupyter/protocol.ts";
import { createStreamBuffer } from "../../kernel/jupyter/stream-buffer.ts";

const parent = (id: string) => ({ msg_id: id }) as unknown as Header;

function collect() {
  const sent: [string, string, string][] = [];
  const buffer = createStreamBuffer((name, text, { msg_id }) => sent.push([name, text, msg_id]));
  return { ...buffer, sent };
}

test("joins the text that one cell writes to one stream", () => {
  const { write, flush, sent } = collect();
  for (const text of ["a", "b", "c"]) write("stdout", text, parent("1"));
  flush();
  flush();
  expect(sent).toEqual([["stdout", "abc", "1"]]);
});

test("keeps the order of streams and cells", () => {
  const { write, flush, sent } = collect();
  write("stdout", "a", parent("1"));
  write("stderr", "b", parent("1"));
  write("stdout", "c", parent("1"));
  write("stdout", "d", parent("2"));
  flush();
  expect(sent).toEqual([
    ["stdout", "a", "1"],
    ["stderr", "b", "1"],
    ["stdout", "c", "1"],
    ["stdout", "d", "2"],
  ]);
});

test("sends after a delay, and long text at once", async () => {
  const { write, sent } = collect();
  write("stdout", "x".repeat(200_000), parent("1"));
  expect(sent).toHaveLength(1);
  write("stdout", "later", parent("1"));
  await expect.poll(() => sent.length).toBe(2);
});

test("sends half a character when its cell has ended, and the rest before it", () => {
  const { write, end, sent } = collect();
  write("stderr", "b\ud83d", parent("1"));
  write("stdout", "a\ud83d", parent("2"));
  end(parent("1"));
  write("stderr", "\udc31", parent("1"));
  end(parent("1"));
  expect(sent).toEqual([
    ["stderr", "b", "1"],
    ["stdout", "a", "2"],
    ["stderr", "\ud83d", "1"],
    ["stderr", "\udc31", "1"],
  ]);
});

test("never sends half a character, wherever the text is split", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat()), (text, cuts) => {
      const { write, flush, sent } = collect();
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length];
      places.sort((left, right) => left - right);
      for (const [index, place] of places.entries()) {
        write("stdout", text.slice(places[index - 1] ?? 0, place), parent("1"));
        if (place % 2 === 0) flush();
      }
      flush();
      expect(sent.map(([, piece]) => piece).join("")).toBe(text);
      for (const [, piece] of sent) expect(piece).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});
