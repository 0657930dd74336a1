import { describe, expect, test } from "vitest";
import { wrapText } from "../../lib/display/mod.ts";

describe("wrapText", () => {
  test.each([
    ["", 5, ""],
    ["one two three", 8, "one two\nthree"],
    ["one two three", 7, "one two\nthree"],
    ["a verylongword b", 6, "a\nverylongword\nb"],
    ["  - one two", 7, "  - one\n  two"],
    ["short\none two three\n\nend", 8, "short\none two\nthree\n\nend"],
    ["a   b   c", 5, "a   b\nc"],
    ["  │ one two", 8, "  │ one\n  │ two"],
    ["日本 日本 日本", 10, "日本 日本\n日本"],
    ["trailing    ", 9, "trailing"],
  ])("%j in %i columns", (text, width, expected) => {
    expect(wrapText(text, width)).toBe(expected);
  });

  test("is linear", () => {
    const text = "a ".repeat(500_000);
    expect(wrapText(text, 80).length).toBeGreaterThan(900_000);
  });
});
