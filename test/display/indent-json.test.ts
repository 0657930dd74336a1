import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indentJson } from "../../lib/display/mod.ts";

describe("indentJson", () => {
  test("writes what JSON.stringify does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const indented = JSON.stringify(JSON.parse(JSON.stringify(value)), null, 2);
        expect(indentJson(JSON.stringify(value))).toBe(indented);
        expect(indentJson(indented)).toBe(indented);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["the digits of a number", "[1.0,12345678901234567890,1e2]"],
    ["escapes", String.raw`["\"","\\","\u0041{}[],:"]`],
  ])("keeps %s", (_what, text) => {
    expect(indentJson(text).replace(/\n */g, "")).toBe(text);
  });

  test("changes only the blanks of any text", () => {
    const pieces = fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "a", "1", " ", "\n");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const bare = (text: string): string => text.replace(/\s/g, "");
        expect(bare(indentJson(parts.join("")))).toBe(bare(parts.join("")));
      }),
      { numRuns: 2000 },
    );
  });

  // A search from the beginning at each bracket would take minutes, and a pattern has no room for so many escapes.
  test("handles ten thousand rows and millions of escapes", () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `user ${id}` }));
    expect(indentJson(JSON.stringify(rows)) === JSON.stringify(rows, null, 2)).toBe(true);
    const escapes = JSON.stringify("\\".repeat(4_000_000));
    expect(indentJson(escapes) === escapes).toBe(true);
  });
});
