import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRegexp } from "../../lib/interpolation/i-regexp.ts";

describe("an expression is that of JavaScript,", () => {
  test.each<[pattern: string, texts: readonly string[]]>([
    ["", ["", "a"]],
    ["a|bc|", ["a", "bc", "abc", "x"]],
    ["(ab)*c+d?", ["c", "ababccd", "abab", "abcdd"]],
    ["a{2}b{1,}c{0,2}", ["aab", "aabbcc", "aaabc", "aabccc"]],
    ["[a-c\\]]+[^x-z]", ["ab]q", "aby", "]b"]],
    ["\\p{Lu}\\P{Lu}.\\.\\\\", ["Éé😀.\\", "éÉ..\\"]],
    ["^\\d+\\s\\w$", ["12 a", "x12 a", "12 ab"]],
    ["(^a|b$)+", ["a", "b", "ab", "ba", "xax"]],
    ["(a*)*b", ["aaab", "b", "aaa"]],
    ["(a?){3}a{3}", ["aaa", "aaaaaa", "aaaaaaa", "aa"]],
  ])("%s", (pattern, texts) => {
    const regexp = compileRegexp(pattern);
    for (const text of texts) {
      expect([text, regexp?.matches(text)]).toEqual([
        text,
        new RegExp(`^(?:${pattern})$`, "u").test(text),
      ]);
      expect([text, regexp?.isIn(text)]).toEqual([text, new RegExp(pattern, "u").test(text)]);
    }
  });

  test("whatever it consists of", () => {
    const piece = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "(a|b)", "(ab)", "^", "$", "\\w");
    const count = fc.constantFrom("", "*", "+", "?", "{2}", "{1,2}", "{0}", "{2,}");
    const pattern = fc
      .array(fc.tuple(piece, count, fc.constantFrom("", "|")), { maxLength: 6 })
      // The engine refuses an edge that is repeated.
      .map((all) =>
        all.map(([one, many, or]) => one + (/[$^]/.test(one) ? "" : many) + or).join(""),
      );
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 }),
        (text, on) => {
          expect(compileRegexp(text)?.isIn(on)).toBe(new RegExp(text, "u").test(on));
          expect(compileRegexp(text)?.matches(on)).toBe(new RegExp(`^(?:${text})$`, "u").test(on));
        },
      ),
    );
  });
});

test("a line break is no dot, another separator of lines is", () => {
  const dot = compileRegexp(".");
  expect(["\n", "\r", "\u2028", "\u0085"].map((text) => dot?.matches(text))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test.each([
  "(",
  ")",
  "a)",
  "[",
  "[]",
  "[b-a]",
  "*",
  "a**",
  "a{2,1}",
  "a{",
  "a{99999}",
  "]",
  "}",
  "\\",
  "\\1",
  "\\b",
  "\\u0041",
  "\\p{No such class}",
  "\\p{Nothing}",
  "(?:a)",
  "(?=a)",
  "(".repeat(100_000),
  "(a{100}){100}",
])("%s is no expression", (pattern) => {
  expect(compileRegexp(pattern)).toBeUndefined();
});

test("one that backtracks for years elsewhere ends", () => {
  const text = `${"a".repeat(5_000)}b`;
  for (const pattern of ["(a+)+$", "(a|aa)+$", "(a*)*c", `${"a?".repeat(50)}${"a".repeat(50)}$`]) {
    expect(compileRegexp(pattern)?.matches(text)).toBe(false);
  }
});
