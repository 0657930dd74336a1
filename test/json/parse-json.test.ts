import { describe, expect, test } from "vitest";
import { parseJson } from "../../lib/json/mod.ts";

describe("parseJson", () => {
  test.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740993", -9007199254740993n],
    ["123456789012345678901234567890", 123456789012345678901234567890n],
    ["[10000000000000000,0.1]", [10000000000000000n, 0.1]],
    [
      '[0.30000000000000004,{"a":-1234567890.123456}]',
      [0.30000000000000004, { a: -1234567890.123456 }],
    ],
    ['["1234567890123456789, ",1]', ["1234567890123456789, ", 1]],
    ["1e20", 1e20],
    ["[1e20, 1234567890123456789]", [1e20, 1234567890123456789n]],
    ["0.30000000000000004", 0.30000000000000004],
    ["1.000000000000000000000", 1],
    ["[1.50, 9007199254740993]", [1.5, 9007199254740993n]],
    ['{"a": "9007199254740993"}', { a: "9007199254740993" }],
  ])("%s", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test.each(["0.1234567890123456789", "1e400", "-1e400", "1E-400", "12345678901234567890.5"])(
    "keeps %s as its text",
    (text) => {
      expect(String(parseJson(text))).toBe(text);
      expect(parseJson(text)).toMatchObject({ isLosslessNumber: true });
    },
  );

  test("uses the last of equal keys, with and without long numbers", () => {
    expect(parseJson('{"a": 1, "a": 2}')).toEqual({ a: 2 });
    expect(parseJson('{"a": 9007199254740993, "a": [2], "b": 1}')).toEqual({ a: [2], b: 1 });
  });

  test("__proto__ is a key like any other", () => {
    const value = parseJson('{"__proto__": {"id": 9007199254740993}}') as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("parses deep nesting around a string of a million escapes", () => {
    const depth = 100_000;
    const text = `${"[".repeat(depth)}"1\\"2${"\\n".repeat(6_000_000)}",-12345678901234567890.5${"]".repeat(depth)}`;
    let value = parseJson(text) as unknown[];
    while (Array.isArray(value[0])) value = value[0];
    expect(value[0]).toHaveLength(6_000_003);
    expect(String(value[1])).toBe("-12345678901234567890.5");
  });

  test("parses deep nesting, with and without long numbers", () => {
    const depth = 100_000;
    for (const number of ["1", "9007199254740993"]) {
      let value = parseJson("[".repeat(depth) + number + "]".repeat(depth));
      let levels = 0;
      while (Array.isArray(value)) {
        value = value[0];
        levels++;
      }
      expect(levels).toBe(depth);
      expect(String(value)).toBe(number);
    }
  });

  test.each([
    ["", "at line 1, column 1: the text ends there"],
    ['{"a": }', 'at line 1, column 7: near "{\\"a\\": }"'],
    ['{\n  "a": 1,\n}', 'at line 3, column 1: near "}"'],
    ['["ü€😀", x]', "at line 1, column 9: near "],
    ["[1, 2", "at line 1, column 6: the text ends there"],
    ["<html>", 'at line 1, column 1: near "<html>"'],
    ["[1] 2", "at line 1, column 5: near "],
  ])("says where %j is malformed", (text, where) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
    expect(() => parseJson(text)).toThrow(`Cannot parse the body as JSON ${where}`);
  });
});
