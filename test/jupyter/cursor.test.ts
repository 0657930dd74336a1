import fc from "fast-check";
import { expect, test } from "vitest";
import { toCodePoints, toStringIndex } from "../../kernel/jupyter/content.ts";

test.each([
  ["", 0, 0],
  ["abc", 2, 2],
  ["a🐱b", 1, 1],
  ["a🐱b", 2, 3],
  ["a🐱b", 3, 4],
  ["👩‍🚀.x", 3, 5],
  ["\ud83d.x", 2, 2],
])("in %j position %i of the protocol is string index %i", (text, position, index) => {
  expect(toStringIndex(text, position)).toBe(index);
  expect(toCodePoints(text, index)).toBe(position);
});

test("a position beyond the end is the end", () => {
  expect(toStringIndex("a🐱", 99)).toBe(3);
  expect(toCodePoints("a🐱", 99)).toBe(2);
});

test("an index in the middle of a character counts as before it", () => {
  expect(toCodePoints("a🐱", 2)).toBe(1);
});

test("both conversions agree with a split into code points, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, seed) => {
      const points = [...text];
      const position = seed % (points.length + 1);
      const index = points.slice(0, position).join("").length;
      expect(toStringIndex(text, position)).toBe(index);
      expect(toCodePoints(text, index)).toBe(position);
    }),
  );
});
