import { describe, expect, test } from "vitest";
import { isInvalidAboveBody, parseTyped } from "../../kernel/repl/entry/input.ts";

const request = (text: string) => ({ kind: "request", text, source: text }) as const;

describe("parseTyped", () => {
  test.each([
    ['POST /u\n{"a": 1}', 'POST /u\n\n{"a": 1}'],
    ["POST /u\nA: b\n{", "POST /u\nA: b\n\n{"],
    ["POST /u\n  ?x=1\n[", "POST /u\n  ?x=1\n\n["],
    ["POST /u\n# a remark\n{", "POST /u\n# a remark\n\n{"],
    ["POST /u\n<a>", "POST /u\n\n<a>"],
    ["POST /u\n< file.json", "POST /u\n\n< file.json"],
    ["POST /u\na=1&b=2", "POST /u\n\na=1&b=2"],
    ["@x = 1\nPOST /u\n{", "@x = 1\nPOST /u\n\n{"],
    ['POST /a\n{"a":1}\n\n###\nPOST /b\n{', 'POST /a\n\n{"a":1}\n\n###\nPOST /b\n\n{'],
  ])("%j becomes %j", (text, mended) => {
    expect(parseTyped(request(text)).source).toBe(mended);
    expect(parseTyped(request(mended)).source).toBe(mended);
  });

  test.each([
    "POST /u\nhello world",
    "POST /u\nAccept",
    "POST /u\n{{name}}: value",
    "POST /u\n{{header}}",
    'PUT /u {"a": 1}',
    "POST /u\nA: b",
    "curl -d 'a=1",
    "{",
    "",
  ])("%j stays", (text) => {
    expect(parseTyped(request(text)).source).toBe(text);
  });

  test("keeps the lines of settings above a request", () => {
    const cell = { ...request("POST /u\n{"), source: "%env a\nPOST /u\n{" };
    const typed = parseTyped({ ...cell, text: "      \nPOST /u\n{" });
    expect(typed).toMatchObject({ text: "      \nPOST /u\n\n{", source: "%env a\nPOST /u\n\n{" });
    expect(typed.parsed?.source).toBe(typed.text);
  });
});

describe("isInvalidAboveBody", () => {
  test.each([
    ["POST /u\nAccept", true],
    ["POST /u\nhello world", true],
    ['PUT /u {"a": 1}', true],
    ["GTE {{base}}/x", true],
    ["POST {{base/x", true],
    ["POST /a\nGET /b", false],
    ["POST /a\nbad\n\n###\nPOST /b", true],
    ["POST /u", false],
    ["POST /u\nA: b", false],
    ["POST /u\n\n{{", false],
    ["POST /u\nA: b\n\nno header", false],
    ["# @name login", false],
    ["### title", false],
    ["curl -d 'a=1", false],
  ])("%j: %s", (text, isBroken) => {
    expect(isInvalidAboveBody(request(text))).toBe(isBroken);
  });
});
