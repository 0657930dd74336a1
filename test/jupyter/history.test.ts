import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHistory } from "../../kernel/jupyter/history.ts";

const INPUTS = ["a = 1", "GET /users", "a = 1", "b[0]\nc", "GET /posts"];

function filled() {
  const history = createHistory();
  for (const [index, input] of INPUTS.entries()) history.add(index + 1, input);
  history.setOutput(1, "1");
  return history;
}
const lines = (request: Record<string, unknown>) =>
  filled()
    .select(request)
    .map(([, line]) => line);

describe("select", () => {
  test.each<[string, Record<string, unknown>, number[]]>([
    ["the last two", { hist_access_type: "tail", n: 2 }, [4, 5]],
    ["none of the last", { hist_access_type: "tail", n: 0 }, []],
    ["all, where no number is given", { hist_access_type: "tail" }, [1, 2, 3, 4, 5]],
    ["more than there are", { hist_access_type: "tail", n: 99 }, [1, 2, 3, 4, 5]],
    [
      "a range without its stop",
      { hist_access_type: "range", session: 0, start: 2, stop: 4 },
      [2, 3],
    ],
    ["a range to the end", { hist_access_type: "range", session: 1, start: 4 }, [4, 5]],
    ["a range from the end", { hist_access_type: "range", session: 0, start: -2 }, [4, 5]],
    ["a range up to the end", { hist_access_type: "range", start: 1, stop: -3 }, [1, 2]],
    ["an earlier session, which is not known", { hist_access_type: "range", session: -1 }, []],
    ["by a star", { hist_access_type: "search", pattern: "GET*" }, [2, 5]],
    ["by a question mark", { hist_access_type: "search", pattern: "? = 1" }, [1, 3]],
    ["over lines", { hist_access_type: "search", pattern: "b*c" }, [4]],
    [
      "by characters that mean something in a RegExp",
      { hist_access_type: "search", pattern: "*(.+$*" },
      [],
    ],
    ["by a bracket", { hist_access_type: "search", pattern: "*[0*" }, [4]],
    ["everything", { hist_access_type: "search" }, [1, 2, 3, 4, 5]],
    ["each once", { hist_access_type: "search", pattern: "*", unique: true }, [2, 3, 4, 5]],
    ["the newest that match", { hist_access_type: "search", pattern: "GET*", n: 1 }, [5]],
  ])("finds %s", (_name, request, expected) => {
    expect(lines(request)).toEqual(expected);
  });

  test("returns inputs, or inputs with outputs on request", () => {
    const request = { hist_access_type: "range", start: 1, stop: 3 };
    expect(filled().select(request)).toEqual([
      [1, 1, "a = 1"],
      [1, 2, "GET /users"],
    ]);
    expect(filled().select({ ...request, output: true })).toEqual([
      [1, 1, ["a = 1", "1"]],
      [1, 2, ["GET /users", null]],
    ]);
  });

  test.each<[string, Record<string, unknown>, readonly (readonly [number, number])[]]>([
    [
      "the last of all",
      { hist_access_type: "tail", n: 6 },
      [
        [2, 7],
        [3, 1],
        [3, 2],
        [3, 3],
        [3, 4],
        [3, 5],
      ],
    ],
    [
      "the session before",
      { hist_access_type: "range", session: -1, start: 1 },
      [
        [2, 1],
        [2, 7],
      ],
    ],
    ["a part of it", { hist_access_type: "range", session: -1, start: 2, stop: 8 }, [[2, 7]]],
    [
      "the one before that",
      { hist_access_type: "range", session: -2, start: 1, stop: 2 },
      [[1, 1]],
    ],
    ["one by its number", { hist_access_type: "range", session: 2, start: 7 }, [[2, 7]]],
    ["this one", { hist_access_type: "range", session: 0, start: 5 }, [[3, 5]]],
    ["one that never was", { hist_access_type: "range", session: -3, start: 1 }, []],
    ["one that is yet to come", { hist_access_type: "range", session: 4, start: 1 }, []],
    [
      "by a pattern",
      { hist_access_type: "search", pattern: "GET /u*" },
      [
        [1, 1],
        [3, 2],
      ],
    ],
    ["each once", { hist_access_type: "search", pattern: "GET /u*", unique: true }, [[3, 2]]],
  ])("finds %s in earlier sessions", (_name, request, expected) => {
    const former = [
      [{ line: 1, input: "GET /users" }],
      [
        { line: 1, input: "2" },
        { line: 7, input: "3" },
      ],
    ];
    const found = filled().select(request, former);
    expect(found.map(([session, line]) => [session, line])).toEqual(expected);
  });

  test("names the supported access types for any other", () => {
    expect(() => lines({ hist_access_type: "all" })).toThrow(
      'Reading the history failed: hist_access_type is "all", not "tail", "range" or "search"',
    );
  });

  test("searches long cells with many stars", () => {
    const history = createHistory();
    history.add(1, "a".repeat(100_000));
    expect(history.select({ hist_access_type: "search", pattern: "*a*a*a*a*b" })).toEqual([]);
    expect(history.select({ hist_access_type: "search", pattern: "*a*a*a*a" })).toHaveLength(1);
  });

  test("forgets the oldest cells beyond the limit", () => {
    const history = createHistory();
    for (let line = 1; line <= 10_005; line++) history.add(line, String(line));
    expect(history.select({ hist_access_type: "tail" })).toHaveLength(10_000);
  });

  const matches = (pattern: string, text: string): boolean => {
    const history = createHistory();
    history.add(1, text);
    return history.select({ hist_access_type: "search", pattern }).length === 1;
  };

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
    ["[a-c]x", "bx", false],
    ["*[0*", "b[0]", true],
    ["*\\d*", "1", false],
    ["GET*", "get /", false],
  ])("the pattern %j and %j: %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test("patterns agree with a regular expression", () => {
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "🐱"), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom("a", "b", "🐱"), maxLength: 10 });
    fc.assert(
      fc.property(pattern, text, (one, other) => {
        const source = one.replaceAll("*", "[^]*").replaceAll("?", "[^]");
        expect(matches(one, other)).toBe(new RegExp(`^${source}$`, "u").test(other));
      }),
      { numRuns: 2000 },
    );
  });
});
