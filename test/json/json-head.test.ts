import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEAD_LIMITS, type JsonHead, parseJson, readJsonHead } from "../../lib/json/mod.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const SMALL = { ...HEAD_LIMITS, items: 2, keys: 2 };

function read(text: string, limits = HEAD_LIMITS, size = Number.POSITIVE_INFINITY): JsonHead {
  const bytes = bytesOf(text);
  const step = Math.min(size, bytes.length);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += step) chunks.push(bytes.subarray(at, at + step));
  return readJsonHead(chunks, limits);
}

describe("readJsonHead", () => {
  it("reads what the whole parser reads, however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 9 }),
        (value, indent, size) => {
          const text = JSON.stringify(value, null, indent);
          const head = read(text, HEAD_LIMITS, size);
          expect(head.isWhole).toBe(true);
          expect(head.value).toEqual(parseJson(text));
        },
      ),
    );
  });

  it("keeps the first items and counts all of them, however the bytes are cut", () => {
    const rows = [1, 2, 3, 4, 5].map((id) => ({ id, text: `],}"\\\\,[{${id}`, list: [id, [id]] }));
    const text = JSON.stringify({ data: rows, total: 5 });
    for (let size = 1; size <= text.length; size++) {
      const head = read(text, SMALL, size);
      const { data, total } = head.value as { data: object[]; total: number };
      expect(head.isWhole).toBe(true);
      expect(total).toBe(5);
      expect(data).toEqual(
        rows.slice(0, 2).map(({ id, text: written }) => ({ id, text: written })),
      );
      expect(head.total(data)).toBe(5);
      expect(head.total(data[0] ?? {})).toBe(3);
    }
  });

  it("has whole rows of what was cut", () => {
    const head = read('{"data":[{"id":1},{"id":2},{"i');
    expect(head.value).toEqual({ data: [{ id: 1 }, { id: 2 }] });
    expect(head.isWhole).toBe(false);
  });

  it.each([
    ["a number that ends with the text", "12", 12],
    ["digits beyond a double", "[12345678901234567890]", [12345678901234567890n]],
    ["a byte order mark", "\ufeff[1]", [1]],
    ["a key that would set the prototype", '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
    ["the last of two equal keys", '{"a":1,"a":2}', { a: 2 }],
    ["blanks everywhere", ' [ 1 , { "a" : [ ] } ] \n', [1, { a: [] }]],
  ])("reads %s", (_, text, value) => {
    const head = read(text, HEAD_LIMITS, 1);
    expect(head.isWhole).toBe(true);
    expect(head.value).toEqual(value);
  });

  it.each([
    "",
    "[",
    "[1",
    "[1,]",
    "[1 2]",
    "[1}",
    '{"a"}',
    '{"a":}',
    "{a:1}",
    '{"a":1,}',
    "[01]",
    "[truth]",
    '["\\x"]',
    '["\n"]',
    "[1] 2",
    '"abc',
    "]",
    "[,1]",
  ])("says of %j that it is broken", (text) => {
    expect(read(text).isWhole).toBe(false);
    expect(read(text, HEAD_LIMITS, 1).isWhole).toBe(false);
  });

  it("cuts a long string between two characters, and before an escape", () => {
    const limits = { ...HEAD_LIMITS, string: 6 };
    expect(read('["abc日本語"]', limits).value).toEqual(["abc日"]);
    expect(read('["abcde\\u0041bc"]', limits).value).toEqual(["abcde"]);
  });

  it("stays within its bounds for what is deep, wide or long", () => {
    const deep = read("[".repeat(100_000) + "]".repeat(100_000));
    expect(deep.isWhole).toBe(true);
    const wide = read(`[${"[1],".repeat(1_000_000)}2]`);
    expect(wide.total(wide.value as object)).toBe(1_000_001);
    expect(wide.value).toHaveLength(HEAD_LIMITS.items);
    const long = read(`["${"x".repeat(1_000_000)}"]`);
    expect((long.value as string[])[0]).toHaveLength(HEAD_LIMITS.string);
  });
});
