import { describe, expect, test } from "vitest";
import { selectJson, type Value } from "../../lib/interpolation/mod.ts";

const VALUE: Value = { a: [{ b: 1 }, { b: 2, c: null }], "x y": "z" };

describe("selectJson", () => {
  test.each<[query: string, found: unknown]>([
    ["$", VALUE],
    ["$.a[0].b", 1],
    ["$.a[-1].b", 2],
    ["$.a[1].c", null],
    ["$['x y']", "z"],
    ["$.nothing", undefined],
    ["$.a[*].b", [1, 2]],
    ["$..b", [1, 2]],
    ["$.a[0:1].b", [1]],
    ["$.a[?@.b == 2].b", [2]],
    ["$.nothing[*]", []],
  ])("%s", (query, found) => {
    expect(selectJson(VALUE, query)).toEqual(found);
  });

  test.each([
    ["$.a[", 'Cannot read the JSONPath "$.a["'],
    ["$.a b", 'Cannot read the JSONPath "$.a b": unexpected text " b"'],
  ])("%s is an error", (query, message) => {
    expect(() => selectJson(VALUE, query)).toThrow(message);
  });
});
