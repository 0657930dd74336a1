import { describe, expect, test } from "vitest";
import { kindOfCell } from "../../kernel/session/mod.ts";

describe("kindOfCell", () => {
  test.each([
    ["GET http://localhost/", "request"],
    ["# heading\n// note\n\nGET /users", "request"],
    ["@name = value", "request"],
    ["### first\nGET /", "request"],
    ["%%http\nGET /", "request"],
    ["const a = 1", "typescript"],
    ["# heading\nconst a = 1", "typescript"],
    ["%%ts\nGET /users", "typescript"],
    ["#!/usr/bin/env node\n1", "typescript"],
    ["", "empty"],
    [" \n\t", "empty"],
    ["# one\n// two\n", "empty"],
    ["\uFEFF", "empty"],
    ["?? status == 404", "assertions"],
    ["# why\n\n?? status == 404\n?? body name == Ada", "assertions"],
    ["a\n?? b", "typescript"],
    ["{{base}}", "placeholder"],
    [" {{ login.response.body.items[0].id }}\n", "placeholder"],
    ["{{a}}\n{{b}}", "typescript"],
    ["{{$uuid}}", "typescript"],
    ["%%python\n1", "unknown-magic"],
    ["%%", "unknown-magic"],
    ["%%httpx\nGET /", "unknown-magic"],
    ["\n %%TS\n1", "unknown-magic"],
  ])("finds the kind of %j", (code, kind) => {
    expect(kindOfCell(code).kind).toBe(kind);
  });

  test.each([
    ['{"a": 1}', '({"a": 1}\n)'],
    [' {\n  "a": {"b": []}\n}\n', '( {\n  "a": {"b": []}\n}\n\n)'],
    ['{"1e19": 12345678901234567890}', '({"1e19": 12345678901234567890n}\n)'],
    ['{"a": "12345678901234567890", "b": 1e21}', '({"a": "12345678901234567890", "b": 1e21}\n)'],
    ['{"a": 1', '{"a": 1'],
    ['{"a"; 1}', '{"a"; 1}'],
    ["{ a: 1 }", "{ a: 1 }"],
    ["[1]", "[1]"],
  ])("reads JSON that was pasted as a value: %j", (code, text) => {
    expect(kindOfCell(code)).toMatchObject({ kind: "typescript", text, source: code });
  });

  test("keeps the offsets of TypeScript after comments or %%ts", () => {
    for (const code of ["# head\n\n# more\nconst a", "%%ts now\nconst a", "\uFEFF %%ts\nconst a"]) {
      const { text } = kindOfCell(code);
      expect(text.length).toBe(code.length);
      expect(text.indexOf("const a")).toBe(code.indexOf("const a"));
      expect(text.split("\n").length).toBe(code.split("\n").length);
    }
  });

  test.each([
    ["%env dev\nGET /", "dev", "request"],
    ["### second\n%env dev\nGET /", "dev", "request"],
    ["# note\n// note\n\n %env dev\n\n@a = 1\nGET /", "dev", "request"],
    ["# note\n%env dev\nconst a = 1", "dev", "typescript"],
    ["### second\n%env dev", "dev", "request"],
    ["GET /\n%env dev", undefined, "request"],
    ["#!/usr/bin/env node\n%env dev", undefined, "typescript"],
  ])("takes the settings off the beginning of %j", (code, name, kind) => {
    const cell = kindOfCell(code);
    expect([cell.environment?.name, cell.kind]).toEqual([name, kind]);
    const lines = code.split("\n").map((line) => (name && /^ ?%/.test(line) ? "" : line));
    if (kind === "request") expect(cell.text.split("\n").map((it) => it.trim())).toEqual(lines);
    expect(cell.text).toHaveLength(code.length);
  });
});
