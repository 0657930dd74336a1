import { describe, expect, test } from "vitest";
import {
  createNumberText,
  type Fault,
  joinTemplates,
  type Place,
  parseTemplate,
  type RenderedRange,
  renderTemplate,
  UnresolvedPlaceholderError,
  type Value,
} from "../../lib/interpolation/mod.ts";

const date = new Date("2024-01-02T03:04:05.678Z");
const user = { name: "Ada", tags: ["a", "b"] };

describe("renderTemplate inserts", () => {
  test.each<[what: string, value: Value, expected: string]>([
    ["a string as it is", "a b&c=d/é?#%20+", "a b&c=d/é?#%20+"],
    ["an empty string as nothing", "", ""],
    ["replacement patterns as they are", "$& $1 $$ $`", "$& $1 $$ $`"],
    ["placeholders in a value as they are", "{{v}} \\{{v}}", "{{v}} \\{{v}}"],
    ["a number", 41.5, "41.5"],
    ["a large number without exponent", 1e21, "1000000000000000000000"],
    ["a small number without exponent", 5e-7, "0.0000005"],
    ["a negative small number", -1.25e-7, "-0.000000125"],
    ["a large number with its digits", 1.2345e25, "12345000000000000000000000"],
    ["minus zero as 0", -0, "0"],
    ["the smallest number", 5e-324, `0.${"0".repeat(323)}5`],
    ["a bigint", 9007199254740993123n, "9007199254740993123"],
    [
      "a number kept as text",
      createNumberText("1.000000000000000000001"),
      "1.000000000000000000001",
    ],
    ["true", true, "true"],
    ["false", false, "false"],
    ["null", null, "null"],
    ["a date", date, "2024-01-02T03:04:05.678Z"],
  ])("%s, everywhere alike", (_, v, expected) => {
    for (const place of ["text", "url", "header", "json"] as const) {
      expect(renderTemplate(parseTemplate("<{{v}}>"), { v }, place)).toBe(`<${expected}>`);
    }
  });

  test.each<[place: Place, expected: string]>([
    ["url", '{"name":"Ada","tags":["a","b"]}'],
    ["header", '{"name":"Ada","tags":["a","b"]}'],
    ["text", '{\n  "name": "Ada",\n  "tags": [\n    "a",\n    "b"\n  ]\n}'],
    ["json", '{\n  "name": "Ada",\n  "tags": [\n    "a",\n    "b"\n  ]\n}'],
  ])("an object into %s", (place, expected) => {
    expect(renderTemplate(parseTemplate("{{user}}"), { user }, place)).toBe(expected);
  });

  test.each<[what: string, source: string, expected: string]>([
    ["no indentation", "{{o}}", '{\n  "a": 1\n}'],
    ["blanks", '  "u": {{o}},', '  "u": {\n    "a": 1\n  },'],
    ["a tab", "\t{{o}}", '\t{\n\t  "a": 1\n\t}'],
    ["a line further down", "x\n    y {{o}}\nz", 'x\n    y {\n      "a": 1\n    }\nz'],
    ["a line with another placeholder", "  {{s}} {{o}}", '  1\n   2 {\n    "a": 1\n  }'],
    ["CRLF lines", "x\r\n  {{o}}\r\n", 'x\r\n  {\n    "a": 1\n  }\r\n'],
    ["a second object in a line", " {{o}}{{o}}", ' {\n   "a": 1\n }{\n   "a": 1\n }'],
  ])("further lines of an object aligned: %s", (_, source, expected) => {
    const variables = { o: { a: 1 }, s: "1\n   2" };
    expect(renderTemplate(parseTemplate(source), variables, "json")).toBe(expected);
  });

  test("empty structures without blanks", () => {
    const variables = { o: {}, a: [], n: { o: {}, a: [] } };
    const rendered = renderTemplate(parseTemplate("{{o}} {{a}} {{n}}"), variables, "text");
    expect(rendered).toBe('{} [] {\n  "o": {},\n  "a": []\n}');
  });
});

describe("renderTemplate in a JSON body", () => {
  test.each<[what: string, source: string, value: Value, expected: unknown]>([
    ["escapes inside quotes", '"<{{v}}>"', 'a "b" \\ c\nd\te', '<a "b" \\ c\nd\te>'],
    ["writes a quoted number as a string", '"{{v}}"', 7, "7"],
    ["writes a quoted object as compact JSON", '"{{v}}"', { a: 'x"y' }, '{"a":"x\\"y"}'],
    ["knows an escaped quote of the template", '["\\"{{v}}\\"", 1]', 'q"q', ['"q"q"', 1]],
    ["knows an escaped backslash of the template", '["\\\\", {{v}}]', 1, ["\\", 1]],
    ["escapes a key", '{"{{v}}": 1}', 'x"y', { 'x"y': 1 }],
    ["inserts text outside quotes", '{"a": {{v}}}', "[1, 2]", { a: [1, 2] }],
    ["keeps escaped braces in a string", '["\\{{v}}", "{{v}}"]', '"', ["{{v}}", '"']],
    ["is not led astray by quotes in a value", '[{{v}}, "{{v}}"]', '"a"', ["a", '"a"']],
  ])("%s", (_, source, v, expected) => {
    const rendered = renderTemplate(parseTemplate(source), { v }, "json");
    expect(JSON.parse(rendered)).toEqual(expected);
  });

  test("does so for a template that is rendered again", () => {
    const template = parseTemplate('{"a": "{{v}}"}');
    expect(renderTemplate(template, { v: "x" }, "json")).toBe('{"a": "x"}');
    expect(renderTemplate(template, { v: '"' }, "json")).toBe('{"a": "\\""}');
    expect(renderTemplate(template, { v: '"' }, "text")).toBe('{"a": """}');
  });
});

describe("renderTemplate looks up", () => {
  const variables = { a: { "b c": [{ d: 1 }] }, "x-1": { "0": "zero" } };
  test.each([
    ['{{a["b c"][0].d}}', "1"],
    ["{{x-1.0}}", "zero"],
    ["{{x-1[0]}}", "zero"],
  ])("%s in an object and in a Map", (source, expected) => {
    const template = parseTemplate(source);
    expect(renderTemplate(template, variables, "text")).toBe(expected);
    expect(renderTemplate(template, new Map(Object.entries(variables)), "text")).toBe(expected);
  });

  test("own properties only, even of a polluted prototype", () => {
    const prototype = Object.prototype as { polluted?: string };
    prototype.polluted = "x";
    try {
      for (const source of ["{{polluted}}", "{{o.polluted}}", "{{o.__proto__}}", "{{toString}}"]) {
        expect(() => renderTemplate(parseTemplate(source), { o: {} }, "text")).toThrow(
          UnresolvedPlaceholderError,
        );
      }
    } finally {
      delete prototype.polluted;
    }
  });

  test("a path of 1,000 steps", () => {
    let deep: Value = "end";
    for (let depth = 0; depth < 1000; depth++) deep = { a: deep };
    const template = parseTemplate(`{{v${".a".repeat(1000)}}}`);
    expect(renderTemplate(template, { v: deep }, "text")).toBe("end");
  });
});

describe("renderTemplate without a value", () => {
  const source = "GET {{one}}/{{ok}}\nX: {{ two.a }}";
  test("throws one error that names all, with their positions", () => {
    const run = (): string => renderTemplate(parseTemplate(source), { ok: 1 }, "text");
    expect(run).toThrow(UnresolvedPlaceholderError);
    expect(run).toThrow(ReferenceError);
    expect(run).toThrow(
      /"\{\{one\}\}".*\(line 1, column 5\)[\s\S]*"\{\{two\.a\}\}".*\(line 2, column 4\)/,
    );
  });

  test("leaves placeholders as written where they are to be kept", () => {
    const rendered = renderTemplate(parseTemplate(source), { ok: 1 }, "text", { missing: "keep" });
    expect(rendered).toBe("GET {{one}}/1\nX: {{ two.a }}");
  });

  test("hands the faults to a caller that gathers them", () => {
    const unresolved: Fault[] = [];
    const url = parseTemplate(source, { start: 4, end: 18 });
    const header = parseTemplate(source, { start: 22, end: source.length });
    renderTemplate(url, {}, "url", { unresolved });
    renderTemplate(header, {}, "header", { unresolved });
    expect(unresolved.map(({ line, column }) => [line, column])).toEqual([
      [1, 5],
      [1, 13],
      [2, 4],
    ]);
  });
});

describe("renderTemplate tells the ranges of its output", () => {
  test("by placeholder, when it is asked to", () => {
    const ranges: RenderedRange[] = [];
    const template = parseTemplate('{"at": {{when}}, "n": "{{n}}"}');
    const text = renderTemplate(template, { when: date, n: 1 }, "json", { ranges });
    expect(
      ranges.map(({ placeholder, start, end }) => [placeholder.text, text.slice(start, end)]),
    ).toEqual([
      ["when", "2024-01-02T03:04:05.678Z"],
      ["n", "1"],
    ]);
  });
});

describe("joinTemplates", () => {
  const source = "{{a}}/x\n  ?y={{b}}";
  const lines = [
    parseTemplate(source, { start: 0, end: 7 }),
    parseTemplate(source, { start: 10, end: 18 }),
  ];

  test("gives one template with the spans of the source", () => {
    const joined = joinTemplates(lines);
    expect(joined.parts[1]).toBe("/x?y=");
    expect(joined.parts[2]).toMatchObject({ name: "b", span: { start: 13, end: 18 } });
    expect(renderTemplate(joined, { a: 1, b: 2 }, "url")).toBe("1/x?y=2");
  });

  test("leaves the templates that it joins as they were", () => {
    joinTemplates(lines);
    expect(lines[0]?.parts).toHaveLength(2);
  });

  test("refuses an empty list and templates of different sources", () => {
    expect(() => joinTemplates([])).toThrow(RangeError);
    expect(() => joinTemplates([parseTemplate("a"), parseTemplate("b")])).toThrow(RangeError);
  });
});
