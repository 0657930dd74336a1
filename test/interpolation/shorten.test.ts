import { expect, test } from "vitest";
import { shorten } from "../../lib/interpolation/mod.ts";

test.each([
  ["short", 5, "short"],
  ["longer", 5, "long…"],
  // A half of a character would be a replacement character in UTF-8.
  ["abc😀f", 5, "abc…"],
])("shorten(%j, %i)", (text, length, expected) => {
  expect(shorten(text, length)).toBe(expected);
});
