import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Highlighted } from "../../../kernel/repl/editor/highlight.ts";
import { highlight } from "../../../kernel/repl/editor/mod.ts";

/** The stretches as `style:text`. */
const words = (text: string, language: Highlighted): readonly string[] =>
  highlight(text, language).map(({ start, end, style }) => `${style}:${text.slice(start, end)}`);

describe("highlight", () => {
  test.each<[Highlighted, string, string[]]>([
    ["request", "GET {{base}}/users", ["method:GET", "placeholder:{{base}}", "url:/users"]],
    [
      "request",
      'POST /x\nAccept: a/b\n\n{"n": {{id}}, "s": "v", "b": true, "f": -1.5}',
      [
        ...["method:POST", "url:/x", "name:Accept", 'name:"n"', "placeholder:{{id}}", 'name:"s"'],
        ...['string:"v"', 'name:"b"', "keyword:true", 'name:"f"', "number:-1.5"],
      ],
    ],
    [
      "request",
      "# @name a\n@x = {{y}}\nhttp://h/",
      ["comment:# @name a", "name:@x", "placeholder:{{y}}", "url:http://h/"],
    ],
    [
      "request",
      "GET /a\n\n### next\nPUT /b",
      ["method:GET", "url:/a", "comment:### next", "method:PUT", "url:/b"],
    ],
    [
      "typescript",
      'const a = "x\\"y"; // no',
      ["keyword:const", 'string:"x\\"y"', "comment:// no"],
    ],
    [
      "typescript",
      "await f(`a${1}`, 0xff, 1e3)",
      ["keyword:await", "string:`a${", "number:1", "string:}`", "number:0xff", "number:1e3"],
    ],
    ["typescript", "/['\"]/.test(a) // b", ["comment:// b"]],
    ["typescript", "a / 2 / `${`x`}/*`", ["number:2", "string:`${", "string:`x`", "string:}/*`"]],
    ["typescript", '"open', ['string:"open']],
    ["command", ".set name 1", ["command:.set"]],
    ["json", '[{"a": null}]', ['name:"a"', "keyword:null"]],
  ])("%s: %j", (language, text, expected) => {
    expect(words(text, language)).toEqual(expected);
  });

  test("stretches are in order and within the text for any text", () => {
    const languages = fc.constantFrom<Highlighted>("request", "typescript", "command", "json");
    const pieces = fc.array(
      fc.oneof(fc.constantFrom("{{a}}", '"', "\n", "GET ", "###", "`", "/*", "\\"), fc.string()),
    );
    fc.assert(
      fc.property(languages, pieces, (language, parts) => {
        const text = parts.join("");
        let last = 0;
        for (const { start, end } of highlight(text, language)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });
});
