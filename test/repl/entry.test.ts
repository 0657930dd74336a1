import { describe, expect, test } from "vitest";
import { isInputComplete, normalizeInput } from "../../kernel/repl/entry/input.ts";
import {
  commandOfBareWord,
  declaresBareWord,
  kindOfInput,
  languageOf,
} from "../../kernel/repl/entry/mod.ts";
import { scanTypeScript } from "../../kernel/repl/entry/typescript-scan.ts";

const ASKED = "asked";

async function completeness(text: string): Promise<boolean | typeof ASKED> {
  let isAsked = false;
  const answer = await isInputComplete(kindOfInput(text), async () => {
    isAsked = true;
    return "complete";
  });
  return isAsked ? ASKED : answer;
}

describe("languageOf", () => {
  test.each([
    [".vars", "command"],
    ["  .set a 1", "command"],
    [".5 + 1", "typescript"],
    ["GET /users", "request"],
    ["@a = 1", "request"],
    ["const a = 1", "typescript"],
    ["%%what", "typescript"],
  ])("%j is %s", (text, language) => {
    expect(languageOf(text)).toBe(language);
  });
});

describe("bare words of other prompts", () => {
  test.each([
    ["exit", ".quit"],
    [" quit\n", ".quit"],
    ["exit()", ".quit"],
    ["help", ".help"],
    ["?", ".help"],
    ["\\?", ".help"],
    ["\\q", ".quit"],
    [":q", ".quit"],
    ["exit(1)", undefined],
    ["help GET", ".help GET"],
    [" help  .set\n", ".help .set"],
    ["help me out", undefined],
    ["constructor", undefined],
    ["", undefined],
  ])("%j means %s", (text, command) => {
    expect(commandOfBareWord(text)).toBe(command);
  });

  test.each([
    ["const exit = 1", "exit", true],
    ["function help() {}", "help()", true],
    ["const a = 1; let b, quit = 2", "quit", true],
    ["process.exit(1)", "exit", false],
    ["const exits = 1", "exit", false],
    ["", "?", false],
  ])("%j declares %s: %s", (code, word, isNamed) => {
    expect(declaresBareWord(code, word)).toBe(isNamed);
  });
});

describe("isInputComplete", () => {
  test.each([
    ["GET /users", true],
    ["get https://x.org/users", true],
    ["https://x.org/users", true],
    ["DELETE /users/1", true],
    ["GET /users\nAccept: a/b", false],
    ["GET /users\nAccept: a/b\n", true],
    ["GET /users\n?a=b", true],
    ["POST /users", false],
    ["curl {{base}}/users", true],
    ["curl -d 'a=1", false],
    ["curl -d 'a=1\n2' http://h/", true],
    ["curl http://h/ \\", false],
    ["curl http://h/ \\\n -H 'A: b'", true],
    ['curl -d "it\'s" http://h/', true],
    ["curl $'a\\'b", false],
    ['curl.exe "http://h/" ^', false],
    ['curl "http://h/" ^\n  -H ^"A: b^"', true],
    ["exit", true],
    [" quit() ", true],
    ["?", true],
    ["PUT /users/1\nA: b", false],
    ["POST /users\n", false],
    ["POST /users\n\n", true],
    ['POST /users\n\n{"a": 1', false],
    ['POST /users\n\n{"a": 1}', true],
    ['POST /users\n\n{"a": "}"', false],
    ['POST /users\n\n{"a": "{{x["}"]}}"}', true],
    ['POST /users\n\n{"a": {{x}}}', true],
    ["POST /users\n\n{{whole}}", true],
    ["POST /users\n\n[1, [2]", false],
    ["POST /users\n\n[1, [2]]", true],
    ["POST /users\n\na=1", false],
    ["POST /users\n\na=1\n", true],
    ["POST /users\n\n< body.json", true],
    ['DELETE /users\nContent-Type: application/json\n\n{"a":', false],
    ["@a = 1", true],
    ["# @name login", false],
    ["### title", false],
    ["POST /users\nAccept", true],
    ['PUT /users/1 {"a": 1}', true],
    ["%env local\nPOST /users", false],
    ["GET /a\n\n###", false],
    ["GET /a\n\n###\nGET /b", true],
    ["GET /a\n\n###\nPOST /b", false],
    ["# a remark", true],
    ['POST /users\n\n{"a": \n\n', true],
    ["%%http\nGET /a", true],
    ["%%ts", false],
    ["%%nothing", true],
    [".vars", true],
    [".preview POST /a", false],
    [".preview GET /a", true],
    ["const a = 1", true],
    ["client.send?", true],
    ["f({", false],
    ["`a${b", false],
    ["if (a)", ASKED],
    ["const a =", ASKED],
    ["const a = (\n\n", true],
  ] as const)("%j: %s", async (text, expected) => {
    expect(await completeness(text)).toBe(expected);
  });
});

describe("normalizeInput", () => {
  test.each([
    ["POST /users\n{", "POST /users\n\n{"],
    [".preview POST /users\n{", ".preview POST /users\n\n{"],
    ["const a =\n{", "const a =\n{"],
    [".set a\n{", ".set a\n{"],
  ])("%j becomes %j", (text, normalized) => {
    expect(normalizeInput(kindOfInput(text)).source).toBe(normalized);
  });
});

describe("scanTypeScript", () => {
  test.each([
    ["1 + 1", "complete"],
    ["client.last.json", "complete"],
    ["x++", "complete"],
    ["await client.send(`GET /`)", "complete"],
    ['const s = "("', "complete"],
    ["const r = /[(/]/.test(x)", "complete"],
    ["a / b / (c", "open"],
    ["/* open", "open"],
    ["x // (", "complete"],
    ["`a ${`b ${c}`} (`", "complete"],
    ["`a ${`b ${c}`", "open"],
    ["[1, 2", "open"],
    ["x)", "unsure"],
    ["a =>", "unsure"],
    ["x.", "unsure"],
    ["function f() {}", "unsure"],
    ["return", "unsure"],
    ["x! / (y / 2", "unsure"],
    ["const s = `\nif (`", "complete"],
    ["'open", "unsure"],
  ])("%j is %s", (text, expected) => {
    expect(scanTypeScript(text)).toBe(expected);
  });

  test("a long text takes time in proportion to its length", () => {
    expect(scanTypeScript("(".repeat(200_000))).toBe("open");
    expect(scanTypeScript("`${".repeat(100_000))).toBe("open");
    expect(scanTypeScript(`x${" / y".repeat(50_000)}`)).toBe("complete");
  });
});
