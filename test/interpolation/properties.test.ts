import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  interpolate,
  parseTemplate,
  renderTemplate,
  snapshotValue,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
  type Value,
} from "../../lib/interpolation/mod.ts";

const anyText = fc.string({ unit: "binary", maxLength: 60 });
/** Any UTF-16, lone surrogates included. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));
/** Text of the characters that matter, so that placeholders and near misses come up often. */
const templateText = fc
  .array(
    fc.constantFrom(
      "{{",
      "}}",
      "{",
      "}",
      "a",
      "b",
      ".",
      "[",
      "]",
      "0",
      '"',
      "'",
      "\\",
      " ",
      "\n",
      "$",
      "*",
      "%",
      "é",
    ),
  )
  .map((pieces) => pieces.join(""));
const place = fc.constantFrom("text", "url", "header", "json");
const jsonValue = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Value>;

describe("any text", () => {
  test("renders or throws one of the named errors", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, templateText), place, jsonValue, (text, where, a) => {
        try {
          expect(typeof interpolate(text, { a, b: a }, where)).toBe("string");
        } catch (error) {
          const named =
            error instanceof TemplateSyntaxError || error instanceof UnresolvedPlaceholderError;
          if (!named) throw error;
          expect(error.faults.length).toBeGreaterThan(0);
          for (const { span, line, column } of error.faults) {
            expect(span.start).toBeLessThanOrEqual(span.end);
            expect(span.end).toBeLessThanOrEqual(text.length);
            expect(line).toBeGreaterThan(0);
            expect(column).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("renders the same from a template as at once", () => {
    fc.assert(
      fc.property(templateText, place, jsonValue, (text, where, a) => {
        let rendered: string;
        try {
          rendered = interpolate(text, { a, b: a }, where);
        } catch {
          // What is refused is the subject of the property above.
          return;
        }
        expect(renderTemplate(parseTemplate(text), { a, b: a }, where)).toBe(rendered);
      }),
      { numRuns: 2000 },
    );
  });

  test("without double braces is unchanged", () => {
    fc.assert(
      fc.property(anyUnits, place, (text, where) => {
        fc.pre(!text.includes("{{"));
        expect(interpolate(text, {}, where)).toBe(text);
      }),
    );
  });

  test("comes back from its parts when what is missing is kept", () => {
    fc.assert(
      fc.property(templateText, (text) => {
        fc.pre(!text.includes("\\{{"));
        let template: ReturnType<typeof parseTemplate>;
        try {
          template = parseTemplate(text);
        } catch {
          // A broken placeholder is the subject of the first property.
          return;
        }
        expect(renderTemplate(template, {}, "text", { missing: "keep" })).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test("with its double braces escaped is unchanged but for the backslashes", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = text.replace(/[\\{]/g, "x");
        expect(interpolate(`${plain}\\{{${plain}`, {})).toBe(`${plain}{{${plain}`);
      }),
    );
  });
});

describe("a value", () => {
  test("in a quoted place of a JSON body comes back from JSON.parse as it went in", () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, (a, b) => {
        const body = interpolate(
          '{"a": "{{a}}", "{{b}}": ["\\"{{b}}"], "n": {{n}}}',
          { a, b, n: a.length },
          "json",
        );
        const expected = Object.fromEntries([
          ["a", a],
          [b, [`"${b}`]],
          ["n", a.length],
        ]);
        expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      {
        numRuns: 1000,
        examples: [
          ["\ud800", "\udfff\ud800"],
          ['"', "\\"],
          ["{{a}}", "\\{{"],
        ],
      },
    );
  });

  test("is never scanned again", () => {
    fc.assert(
      fc.property(templateText, templateText, (a, b) => {
        expect(interpolate("<{{a}}{{b}}>", { a, b })).toBe(`<${a}${b}>`);
      }),
    );
  });

  test("that is JSON comes back from an unquoted place of a JSON body", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        fc.pre(typeof value === "object");
        const body = interpolate('{\n  "v": {{value}}\n}', { value }, "json");
        expect(JSON.parse(body)).toEqual({ v: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  test("that is a number comes back from its decimal text", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = interpolate("{{value}}", { value });
        expect(text).not.toMatch(/e/i);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  test("of any kind is copied or refused with a TypeError that names it", () => {
    const anything = fc.anything({
      withDate: true,
      withMap: true,
      withSet: true,
      withBigInt: true,
      withBoxedValues: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withObjectString: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        try {
          const copy = snapshotValue(value, "subject");
          expect(snapshotValue(copy, "subject")).toEqual(copy);
          expect(typeof interpolate("{{v}}", { v: copy })).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          expect((error as Error).message).toContain('"subject');
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a hostile text of 1 MB comes to an end:", () => {
  const fill = (unit: string): string => unit.repeat(1_000_000 / unit.length);
  test.each([
    fill("{"),
    fill("{{ "),
    fill("{{\n"),
    fill("\\{{"),
    `{{${fill(" ")}`,
    fill("}"),
    fill("\\"),
  ])("%.6j, rendered", (text) => {
    const plain = text.replaceAll("\\{{", "{{");
    expect(interpolate(text, {}, "json")).toBe(plain);
  });

  test.each([
    fill("{{a"),
    fill("{{a."),
    fill("{{a["),
    fill('{{a["'),
    fill("{{$a"),
    fill("{{$a\n"),
    fill("{{a "),
    `{{a${fill(" ")}`,
    `{{a["${fill("\\\\")}`,
    `{{${fill("a")}`,
  ])("%.6j, refused", (text) => {
    expect(() => interpolate(text, {})).toThrow(TemplateSyntaxError);
  });

  test("100,000 placeholders, of values, of objects on one line, and of nothing", () => {
    expect(interpolate("{{a}},".repeat(100_000), { a: 1 })).toHaveLength(200_000);
    expect(interpolate("{{a}},".repeat(100_000), { a: [1] })).toHaveLength(800_000);
    expect(() => interpolate("{{a}},".repeat(100_000), {})).toThrow(UnresolvedPlaceholderError);
  });
});
