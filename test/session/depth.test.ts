import { describe, expect, test } from "vitest";
import { checkDepth, findDepth } from "../../kernel/session/compiler/mod.ts";

describe("findDepth", () => {
  test.each([
    ["[".repeat(500) + "]".repeat(500), undefined],
    ["[".repeat(501), 500],
    ["{[(".repeat(200), 500],
    ["({})".repeat(2_000), undefined],
    [`"${"[".repeat(2_000)}"`, undefined],
    [`// ${"[".repeat(2_000)}\n/* ${"{".repeat(2_000)} */`, undefined],
  ])("case %#", (code, at) => {
    expect(findDepth(code)).toBe(at);
  });

  test("the error says where and what to do, in time that grows with the length alone", () => {
    for (const bracket of ["[", "{", "("]) {
      expect(() => checkDepth({ source: `const a =\n  ${bracket.repeat(100_000)}` })).toThrow(
        "2:503 Cannot compile the cell: its brackets are nested more than 500 deep",
      );
    }
  });
});
