import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsonHead, HEAD_LIMITS } from "../../lib/display/json-head.ts";
import type { HeadLimits } from "../../lib/display/json-reading.ts";
import { parseJson } from "../../lib/json/mod.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const SMALL: HeadLimits = { ...HEAD_LIMITS, items: 2, keys: 2 };

function read(text: string, limits: HeadLimits = HEAD_LIMITS, size = Number.POSITIVE_INFINITY) {
  const head = createJsonHead(limits);
  const bytes = bytesOf(text);
  const step = Math.min(size, bytes.length);
  for (let at = 0; at < bytes.length; at += step) head.feed(bytes.subarray(at, at + step));
  head.end();
  return head;
}

describe("createJsonHead", () => {
  it("reads what the whole parser reads, however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 9 }),
        (value, indent, size) => {
          const text = JSON.stringify(value, null, indent);
          const head = read(text, HEAD_LIMITS, size);
          expect(head.state).toBe("whole");
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
      expect(head.state).toBe("whole");
      expect(total).toBe(5);
      expect(data).toEqual(
        rows.slice(0, 2).map(({ id, text: written }) => ({ id, text: written })),
      );
      expect(head.total(data)).toBe(5);
      expect(head.total(data[0] ?? {})).toBe(3);
    }
  });

  it("shows whole rows while the rest arrives", () => {
    const head = createJsonHead();
    head.feed(bytesOf('{"data":[{"id":1},{"id":2},{"i'));
    expect(head.value).toEqual({ data: [{ id: 1 }, { id: 2 }] });
    expect(head.state).toBe("open");
    head.feed(bytesOf('d":3}]}'));
    head.end();
    expect(head.value).toEqual({ data: [{ id: 1 }, { id: 2 }, { id: 3 }] });
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
    expect(head.state).toBe("whole");
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
    expect(read(text).state).toBe("broken");
    expect(read(text, HEAD_LIMITS, 1).state).toBe("broken");
  });

  it("cuts a long string between two characters, and before an escape", () => {
    const limits = { ...HEAD_LIMITS, string: 6 };
    expect(read('["abc日本語"]', limits).value).toEqual(["abc日"]);
    expect(read('["abcde\\u0041bc"]', limits).value).toEqual(["abcde"]);
  });

  it("stays within its bounds for what is deep, wide or long", () => {
    const deep = read("[".repeat(100_000) + "]".repeat(100_000));
    expect(deep.state).toBe("whole");
    const wide = read(`[${"[1],".repeat(1_000_000)}2]`);
    expect(wide.total(wide.value as object)).toBe(1_000_001);
    expect(wide.value).toHaveLength(HEAD_LIMITS.items);
    const long = read(`["${"x".repeat(1_000_000)}"]`);
    expect((long.value as string[])[0]).toHaveLength(HEAD_LIMITS.string);
  });
});
