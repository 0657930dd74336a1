import { describe, expect, test } from "vitest";
import { createNumberText, type Value } from "../../lib/interpolation/mod.ts";
import { parseEntries, resolveAssignment } from "../../lib/request/mod.ts";
import { thrownBy } from "./thrown.ts";

const VALUES: Readonly<Record<string, Value>> = {
  host: "a.test",
  five: "5",
  n: 5,
  quote: 'a"b',
  user: { name: "Ada", tags: ["x", "y"], born: new Date(0), none: null },
};

function resolve(line: string, options?: Parameters<typeof resolveAssignment>[2]): Value {
  const [entry] = parseEntries(line);
  if (entry?.kind !== "assignment") throw new Error("The line is no assignment");
  return resolveAssignment(entry, VALUES, options);
}

describe("resolveAssignment", () => {
  const CASES: [line: string, value: Value][] = [
    ["@a = 1", 1],
    ["@a = -1.5e3", createNumberText("-1.5e3")],
    ["@a = 1.0", createNumberText("1.0")],
    ["@a = 100.5", 100.5],
    ["@a = true", true],
    ["@a = null", null],
    ['@a = "1"', "1"],
    ['@a = {"b": [1, "c"]}', { b: [1, "c"] }],
    ["@a = []", []],
    ["@a = 9007199254740993", 9007199254740993n],
    ["@a = 12345678901234567890", 12345678901234567890n],
    ["@a = hello", "hello"],
    ["@a = hello world ", "hello world"],
    ["@a =", ""],
    ["@a = 007", "007"],
    ["@a = {b}", "{b}"],
    ["@a = 'x'", "'x'"],
    ["@a = trueish", "trueish"],
    ["@a = https://a.test/x?y=1", "https://a.test/x?y=1"],
    ["@a = https://{{host}}/x", "https://a.test/x"],
    ["@a = {{host}}/x", "a.test/x"],
    ["@a = {{n}}", 5],
    ["@a = {{five}}", "5"],
    ["@a = {{n}}0", "50"],
    ["@a = {{user}}", VALUES.user as Value],
    ["@a = {{user.tags[1]}}", "y"],
    ["@a = {{user.born}}", new Date(0)],
    ["@a = {{user.none}}", null],
    ['@a = {"n": {{n}}, "q": "{{quote}}", "t": {{user.tags}}}', { n: 5, q: 'a"b', t: ["x", "y"] }],
    ['@a = "{{quote}}"', 'a"b'],
    ["@a = [{{n}}, {{n}}]", [5, 5]],
    ["@a = [{{host}}]", "[a.test]"],
    ["@a = \\{{n}}", "{{n}}"],
    ["@a.b = 1", { b: 1 }],
    ["@a.b.c-d = {{host}}/x", { b: { "c-d": "a.test/x" } }],
    ["@five.b = 1", { b: 1 }],
    ["@user.name = Grace", { ...(VALUES.user as object), name: "Grace" } as unknown as Value],
  ];

  test.each(CASES)("%s is %o", (line, value) => {
    expect(resolve(line)).toEqual(value);
    expect(String(resolve(line))).toBe(String(value));
    expect(typeof resolve(line)).toBe(typeof value);
  });

  test.each([
    "@a = {{nope}}",
    "@a = x{{nope}}",
    '@a = {"b": {{nope}}}',
    "@a = {{user.nope}}",
    "@a = {{toString}}",
    "@a = {{user.tags.length}}",
  ])("%j throws an error that names the placeholder", (line) => {
    const error = thrownBy(() => resolve(line));
    expect(error.name).toBe("UnresolvedPlaceholderError");
    expect(error.faults.length).toBe(1);
  });

  test("keeps placeholders without a value with missing: keep", () => {
    expect(resolve("@a = x{{nope}}", { missing: "keep" })).toBe("x{{nope}}");
  });

  test("parses JSON with the given parser", () => {
    expect(resolve("@a = [1]", { parseJson: (text) => `read ${text}` })).toBe("read [1]");
  });

  test("accepts a Map of values", () => {
    const [entry] = parseEntries("@a = {{x[0]}}");
    if (entry?.kind !== "assignment") throw new Error("The line is no assignment");
    expect(resolveAssignment(entry, new Map<string, Value>([["x", [7]]]))).toBe(7);
  });
});
