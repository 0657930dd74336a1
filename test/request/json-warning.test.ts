import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Value } from "../../lib/interpolation/mod.ts";
import { findJsonFault } from "../../lib/json/mod.ts";
import { parseRequests, renderRequest } from "../../lib/request/mod.ts";

function warningsOf(body: string, values: Readonly<Record<string, Value>> = {}): readonly string[] {
  const [draft] = parseRequests(`POST http://a.test\nContent-Type: application/json\n\n${body}`);
  if (draft === undefined) throw new Error("The text holds no request");
  return renderRequest(draft, values, { missing: "keep" }).warnings;
}

describe("renderRequest warns about an invalid JSON body", () => {
  const CASES: [body: string, values: Readonly<Record<string, Value>>, ...words: string[]][] = [
    [
      '{"a": {{s}}}',
      { s: "Ada" },
      "line 1, column 7",
      'found "A"',
      "in {{s}}, which became Ada",
      '"{{s}}"',
    ],
    ['{\n  "at": {{d}}\n}', { d: new Date(0) }, "line 2, column", "in {{d}}", "1970-01-01T"],
    ['{"a": {{s}}}', { s: "" }, "line 1, column 7", "{{s}}, which is empty"],
    ['{"a": {{x.y}}}', {}, "{{x.y}}, which was not replaced"],
    ['{"a": 1, "b": {{n}}{{s}}}', { n: 1, s: "x" }, "in {{n}}"],
    ['{"a": {{n}}, "b": {{s}}, "c": {{n}}}', { n: 1, s: "x y" }, "column 15", "in {{s}}"],
    ['{"a": {{s}}}', { s: "x".repeat(500) }, `became ${"x".repeat(39)}…`],
  ];

  test.each(CASES)("%j with %j", (body, values, ...words) => {
    const [warning, ...more] = warningsOf(body, values);
    expect(more).toEqual([]);
    expect(warning).toContain("The JSON body is not valid at line ");
    for (const word of words) expect(warning).toContain(word);
  });

  test.each([
    ['{"a": 1,}', "column 9: expected a quoted key"],
    ['{"a" 1}', 'column 6: expected ":", found "1"'],
    ["{a: 1}", "column 2: expected a quoted key"],
    ["[1 2]", 'column 4: expected "," or "]", found "2"'],
    ["[1, 2", "column 6: it ends unexpectedly"],
    ["[1] 2", "column 5: expected the end"],
    ['["a\nb"]', "line 1, column 2: a string is malformed"],
    ['{"n": {{n}}, oops}', "expected a quoted key"],
  ])("%j without a faulty placeholder", (body, words) => {
    const [warning] = warningsOf(body, { n: 1 });
    expect(warning).toContain(words);
    expect(warning).not.toContain("{{");
  });

  test.each([
    ['{"a": "{{s}}", "b": {{n}}, "c": {{o}}}', { s: 'a"\n', n: 1.5, o: { x: [1] } }],
    ['{"a": 123456789012345678901234567890, "b": 1e400}', {}],
    ["{{s}}", { s: "[1]" }],
  ])("but not about %j", (body, values) => {
    expect(warningsOf(body, values as Readonly<Record<string, Value>>)).toEqual([]);
  });

  test("but not about other bodies", () => {
    const [draft] = parseRequests("POST http://a.test\nContent-Type: text/plain\n\n{oops}");
    expect(draft === undefined ? "" : renderRequest(draft, {}).warnings).toEqual([]);
  });
});

describe("findJsonFault", () => {
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  test("agrees with JSON.parse on valid JSON", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonFault(text)).toBeUndefined();
      }),
    );
  });

  test("agrees with JSON.parse on tokens of JSON, and returns an offset in the text", () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\ \n\t'.split(""),
      ...'0 1 -1 -0 01 1.5 1. .5 1e5 1E+5 1e -  true false null nul "a" "\\u00e9" "\\x" \u0001 é'.split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const fault = findJsonFault(text);
        expect(fault === undefined).toBe(parses(text));
        if (fault === undefined) return;
        expect(fault.offset).toBeGreaterThanOrEqual(0);
        expect(fault.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 5000 },
    );
  });

  test("neither depth nor length overflows the stack", () => {
    expect(findJsonFault("[".repeat(1_000_000))?.offset).toBe(1_000_000);
    expect(findJsonFault(`"${"\\n".repeat(2_000_000)}" x`)?.offset).toBe(4_000_003);
  });
});
