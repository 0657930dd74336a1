import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToWidth, graphemes, textWidth } from "../../lib/display/mod.ts";
import { padToWidth } from "../../lib/display/width.ts";

describe("textWidth", () => {
  it.each([
    ["plain", 5],
    ["日本", 4],
    ["e\u0301a", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["1️⃣", 2],
    ["☺️", 2],
    ["─│…·", 4],
    ["한국어", 6],
    ["\u200b", 0],
    ["ｱｶﾞ", 3],
    ["கி", 2],
    ["a\u00adb", 2],
    ["🇩", 1],
  ])("knows how many columns %j takes", (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

describe("cutToWidth", () => {
  it("never exceeds the columns, and leaves alone what fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 20 }),
        (text, columns) => {
          const cut = cutToWidth(text, columns);
          expect(textWidth(cut)).toBeLessThanOrEqual(columns);
          if (textWidth(text) <= columns) expect(cut).toBe(text);
          else expect(cut.endsWith("…")).toBe(true);
        },
      ),
    );
  });

  it("does not part a grapheme", () => {
    expect(cutToWidth("ab👩‍👩‍👧cd", 4)).toBe("ab…");
    expect(cutToWidth("日本語", 4)).toBe("日…");
  });
});

describe("padToWidth", () => {
  it("fills up with blanks on the side that is named", () => {
    expect(padToWidth("日", 4, "left")).toBe("  日");
    expect(padToWidth("日", 4, "right")).toBe("日  ");
  });
});

it("the pieces of a long text are those of the segmenter, wherever it is cut", () => {
  const pieces = [
    "a",
    "é",
    "\r\n",
    "\r",
    "🇩🇪",
    "👩‍👩‍👧‍👦",
    "🏴\u{e0067}\u{e0062}\u{e007f}",
    "क्षि",
    "각",
    "\ud83d",
    "x",
  ];
  for (let shift = 0; shift < 40; shift++) {
    const text = `${"x".repeat(500 + shift)}${pieces.join("").repeat(40)}z${"\u0301".repeat(2_000)}y`;
    const whole = Array.from(new Intl.Segmenter().segment(text), (it) => [it.index, it.segment]);
    const found = Array.from(graphemes(text), ({ index, segment }) => [index, segment]);
    expect(found).toEqual(whole);
  }
});
