import { describe, expect, test } from "vitest";
import { insertBlankLines, isInvalidAboveBody } from "../../kernel/repl/entry/request-head.ts";

describe("insertBlankLines", () => {
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
    expect(insertBlankLines(text)).toBe(mended);
    expect(insertBlankLines(mended)).toBe(mended);
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
    expect(insertBlankLines(text)).toBe(text);
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
    expect(isInvalidAboveBody(text)).toBe(isBroken);
  });
});
