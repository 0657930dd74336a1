import { describe, expect, test } from "vitest";
import {
  FAULT_LIMIT,
  interpolate,
  nearNames,
  UnresolvedPlaceholderError,
} from "../../lib/interpolation/mod.ts";

const variables = {
  user: {
    name: "Ada",
    email: "e",
    tags: ["a", "b"],
    one: [1],
    none: [],
    empty: {},
    at: new Date(0),
  },
  User2: 1,
  text: "abc",
  nothing: null,
  flag: true,
};

function explain(template: string, values: object = variables): string {
  try {
    interpolate(template, values as Record<string, unknown>);
  } catch (error) {
    if (error instanceof UnresolvedPlaceholderError) return error.message;
    throw error;
  }
  throw new Error("Nothing was thrown");
}

describe("UnresolvedPlaceholderError explains", () => {
  test.each<[template: string, message: string]>([
    ["{{usr}}", 'there is no variable "usr" (line 1, column 1). Did you mean "user"?'],
    ["{{USER}}", 'there is no variable "USER" (line 1, column 1). Did you mean "user" or "User2"?'],
    ["{{zzzzz}}", 'Known here: "user", "User2", "text", "nothing", "flag"'],
    ["{{user.emial}}", '"user" has no property "emial" (line 1, column 1). Did you mean "email"?'],
    ["{{user.constructor}}", '"user" has no property "constructor"'],
    [
      "{{user.empty.x}}",
      '"user.empty" has no property "x" (line 1, column 1). "user.empty" is an empty object',
    ],
    ["{{user.tags[2]}}", '"user.tags" has 2 elements (index 0 to 1) and none at 2'],
    ["{{user.one[1]}}", '"user.one" has 1 element (index 0) and none at 1'],
    ["{{user.none[0]}}", '"user.none" has 0 elements and none at 0'],
    ["{{user.tags.length}}", '"user.tags" is an array and has no property "length"'],
    ["{{user.tags.first}}", "Access an element by its index, for example {{user.tags[0]}}"],
    ["{{user.one.1}}", '"user.one" has 1 element (index 0) and none at 1'],
    ["{{user.tags[0].x}}", '"user.tags[0]" is a string and has no properties'],
    ["{{text.length}}", '"text" is a string and has no properties'],
    ["{{text[0]}}", '"text" is a string and has no elements'],
    ["{{nothing.a.b}}", '"nothing" is null and has no properties'],
    ["{{flag.a}}", '"flag" is a boolean and has no properties'],
    ["{{user.at.x}}", '"user.at" is a date and has no properties'],
    ["{{$uuid}}", 'names that begin with "$" are reserved for generated values'],
    ["{{$randomInt 1 6}}", 'Cannot resolve "{{$randomInt 1 6}}"'],
  ])("%s", (template, message) => {
    expect(explain(template)).toContain(message);
  });

  test("that there are no variables at all", () => {
    expect(explain("{{a}}", {})).toContain("There are no variables");
    expect(explain("{{a}}", new Map())).toContain("There are no variables");
  });

  test("a bounded number of placeholders and of known names", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`name${i}`, i]));
    const message = explain("{{zzzzzzz}}".repeat(1000), many);
    expect(message.split("\n")).toHaveLength(FAULT_LIMIT + 1);
    expect(message).toContain("and 492 more");
  });
});

describe("nearNames finds", () => {
  const known = ["limit", "offset", "filter", "userName", "user"];
  test.each<[name: string, near: string[]]>([
    ["limt", ["limit"]],
    ["lmiit", ["limit"]],
    ["limits", ["limit"]],
    ["LIMIT", ["limit"]],
    ["username", ["userName"]],
    ["usr", ["user"]],
    ["uesr", ["user"]],
    ["flter", ["filter"]],
    ["password", []],
    ["", []],
  ])("for %j %j", (name, near) => {
    expect(nearNames(name, known)).toEqual(near);
  });

  test("the nearest first, and no more than asked for", () => {
    expect(nearNames("abcd", ["abxd", "abcde", "ABCD", "axyd"])).toEqual(["ABCD", "abcde", "abxd"]);
    expect(nearNames("abcd", ["abxd", "abcde", "ABCD"], 1)).toEqual(["ABCD"]);
  });

  test("nothing in names too long to be compared", () => {
    expect(nearNames("a".repeat(10_000), ["b".repeat(10_000)])).toEqual([]);
  });
});
