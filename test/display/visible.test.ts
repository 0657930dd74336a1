import { describe, expect, it } from "vitest";
import { toVisibleJson, toVisibleLine, toVisibleText } from "../../lib/display/mod.ts";

describe("characters that nobody sees", () => {
  it.each([
    ["a\u200bb", "a‹U+200B›b"],
    ["\ufeffa\u2060b", "‹U+FEFF›a‹U+2060›b"],
    ["a\u{e0001}\u{e0061}b", "a‹U+E0001›‹U+E0061›b"],
    ["a\u202eb", "a‹U+202E›b"],
    ["a\u2028b", "a‹U+2028›b"],
    ["a\u009bb\u001b[m", "a‹U+009B›b␛[m"],
  ])("%j is shown as %s", (text, shown) => {
    expect(toVisibleText(text)).toBe(shown);
    expect(toVisibleLine(text)).toBe(shown);
  });

  it("of a tower of marks the foot is left", () => {
    expect(toVisibleText(`a${"\u0301".repeat(50)}b`)).toBe(
      `a${"\u0301".repeat(8)}‹42 more marks›b`,
    );
  });

  it.each([
    "👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "نامه‌ای",
    "ทั้งนี้ क्षत्रिय שָׁלוֹם",
    "e\u0301 1️⃣",
  ])("%s stays as it is", (text) => {
    expect(toVisibleText(text)).toBe(text);
  });
});

it("JSON keeps its value and its shape, and nothing in it acts", () => {
  const value = {
    "a\u009b\u202e": ["\u0000\u001b\u007f\u0085\u2028\u2029\ufeff\u200b", "e\u0301 👩‍👧 \n\t"],
    b: `\ud800${"\u0301".repeat(20)}\u{e0001}`,
  };
  for (const indent of [0, 2]) {
    const json = toVisibleJson(JSON.stringify(value, undefined, indent));
    expect(JSON.parse(json)).toEqual(value);
    expect(json.split("\n")).toHaveLength(indent === 0 ? 1 : 7);
    expect(toVisibleText(json)).toBe(json);
  }
});
