import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { findDifference } from "../../../kernel/session/test-failure.ts";

const nested = (depth: number, leaf: unknown): unknown =>
  Array.from({ length: depth }).reduce((inner) => ({ a: inner }), leaf);

const CASES: readonly (readonly [
  actual: unknown,
  expected: unknown,
  path: string,
  found?: unknown,
])[] = [
  [1, 2, "$", 1],
  [{ a: 1 }, { a: 2 }, "$.a", 1],
  [{ a: 1, b: 1 }, { a: 1, b: 2 }, "$.b", 1],
  [{ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] }, "$.a[1].b", 2],
  [{ "a b": 1 }, { "a b": 2 }, '$["a b"]', 1],
  [{ a: 1 }, { a: 1, b: 2 }, "$.b", undefined],
  [{ a: 1, b: 2 }, { a: 1 }, "$.b", 2],
  [[1, 2], [1], "$.length", 2],
  [[1], [2, 3], "$[0]", 1],
  [[1], { 0: 2 }, "$", [1]],
  [new Map([[1, 2]]), new Map([[1, 3]]), "$"],
  [{ a: new Date(0) }, { a: new Date(1) }, "$.a"],
  [nested(100, 1), nested(100, 2), `$${".a".repeat(100)}`, 1],
];

describe("the first difference of two values", () => {
  test.each(CASES)("of %j and %j is at %s", (actual, expected, path, found) => {
    const difference = findDifference(actual, expected, isDeepStrictEqual);
    expect(difference.path).toBe(path);
    if (found !== undefined) expect(difference.actual).toEqual(found);
  });

  test("is the values themselves if no part of them differs", () => {
    expect(findDifference([1], [1], isDeepStrictEqual)).toMatchObject({ path: "$" });
  });
});
