import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileGlob } from "../../kernel/jupyter/glob.ts";

/** The same with a regular expression, which may take any time. */
function toRegExp(glob: string): RegExp {
  const source = glob.replace(/[\\^$.|+(){}]/g, "\\$&").replaceAll("*", "[^]*");
  return new RegExp(`^${source.replaceAll("?", "[^]")}$`, "u");
}

describe("compileGlob", () => {
  test.each<[string, string, boolean]>([
    ["", "", true],
    ["", "a", false],
    ["*", "", true],
    ["**", "any\nthing", true],
    ["a*", "abc", true],
    ["*c", "abc", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*ab*b", "aab", false],
    ["*ab*b", "aabb", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["?", "🐱", true],
    ["*?", "🐱", true],
    ["??", "🐱", false],
    ["*🐱?", "a🐱b", true],
    ["[a-c]x", "bx", true],
    ["[^a-c]x", "bx", false],
    ["[^a-c]x", "🐱x", true],
    ["[]]", "]", true],
    ["[^]]", "]", false],
    ["[z-a]", "b", false],
    ["[z-a]*", "b", false],
    ["*[0*", "b[0]", true],
    ["*\\d*", "1", false],
    ["*[\\d]", "\\", true],
    ["[-a]", "-", true],
    ["GET*", "get /", false],
  ])("%j and %j: %s", (glob, text, expected) => {
    expect(compileGlob(glob)(text)).toBe(expected);
  });

  test("agrees with a regular expression", () => {
    const glob = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "🐱"), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom("a", "b", "🐱"), maxLength: 10 });
    fc.assert(
      fc.property(glob, text, (one, other) => {
        expect(compileGlob(one)(other)).toBe(toRegExp(one).test(other));
      }),
      { numRuns: 2000 },
    );
  });

  test("refuses a pattern that is too long", () => {
    expect(() => compileGlob("?".repeat(1001))).toThrow(
      "Searching the history failed: the pattern has 1001 characters, more than 1000",
    );
  });
});

/** A text that counts how much of it is read. */
function countingText(text: string, look: (characters: number) => void): string {
  const counting = {
    length: text.length,
    startsWith(part: string, at: number) {
      look(part.length);
      return text.startsWith(part, at);
    },
    indexOf(part: string, at: number) {
      const found = text.indexOf(part, at);
      look((found < 0 ? text.length : found) - at + 1);
      return found;
    },
    codePointAt(at: number) {
      look(1);
      return text.codePointAt(at);
    },
  };
  // A matcher asks a text for nothing else.
  return counting as unknown as string;
}

test.each([
  ["*a*a*a*a*b", "a"],
  [`${"*a".repeat(400)}*b`, "a"],
  ["*?a*?a*?b", "a"],
  ["*[ab]*[ab]*[ab]*c", "ab"],
  [`*${"?".repeat(50)}b*`, "a"],
])("the time for %j is linear in the text", (glob, pumped) => {
  const work = (length: number): number => {
    let sum = 0;
    const text = countingText(pumped.repeat(length / pumped.length), (characters) => {
      sum += characters;
    });
    expect(compileGlob(glob)(text)).toBe(false);
    return sum;
  };
  expect(work(200_000) / work(100_000)).toBeLessThan(2.1);
  expect(work(200_000)).toBeLessThan(200_000 * glob.length * 3);
});
