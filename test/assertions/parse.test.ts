import { describe, expect, test } from "vitest";
import { type AssertionDraft, parseAssertion } from "../../lib/assertions/mod.ts";
import { collectTemplate, type Span } from "../../lib/interpolation/mod.ts";

interface Fault {
  readonly at: string;
  readonly message: string;
  readonly hint: string;
}

function parse(source: string): { draft: AssertionDraft | undefined; faults: Fault[] } {
  const faults: Fault[] = [];
  const draft = parseAssertion(
    {
      source,
      report: ({ start, end }, message, hint) =>
        void faults.push({ at: source.slice(start, end), message, hint }),
      template: (span: Span) => collectTemplate({ source }, span, []),
    },
    { start: 0, end: source.length },
  );
  return { draft, faults };
}

describe("parseAssertion reads the field, the predicate and the expected value", () => {
  test.each([
    ["?? status == 200", { kind: "status" }, "==", "200"],
    ["??status==200", { kind: "status" }, "==", "200"],
    ["?? status === 200", { kind: "status" }, "==", "200"],
    ["?? status equals 200", { kind: "status" }, "==", "200"],
    ["?? status != 404", { kind: "status" }, "!=", "404"],
    ["?? status !== 404", { kind: "status" }, "!=", "404"],
    ["?? status >= 200", { kind: "status" }, ">=", "200"],
    ["?? STATUS STARTSWITH 20", { kind: "status" }, "startsWith", "20"],
    ["?? duration < 500", { kind: "duration", part: "total" }, "<", "500"],
    ["?? duration firstByte <= 500", { kind: "duration", part: "firstByte" }, "<=", "500"],
    [
      "?? header content-type includes json",
      { kind: "header", name: "content-type" },
      "contains",
      "json",
    ],
    ["?? header range exists", { kind: "header", name: "range" }, "exists", undefined],
    ["?? header range isFalse", { kind: "header", name: "range" }, "isFalse", undefined],
    ["?? body contains a == b", { kind: "body" }, "contains", "a == b"],
    ["?? body ==", { kind: "body" }, "==", ""],
    [
      "?? js response.parsedBody.id > 0",
      { kind: "js", expression: "response.parsedBody.id" },
      ">",
      "0",
    ],
    [
      "?? js response.parsedBody.ok",
      { kind: "js", expression: "response.parsedBody.ok" },
      "isTrue",
      undefined,
    ],
    // Operators inside of brackets and quotes belong to the code.
    [
      "?? js items.filter(i => i.id > 3).length == 1",
      { kind: "js", expression: "items.filter(i => i.id > 3).length" },
      "==",
      "1",
    ],
    [
      "?? js items.some(i => i > 3)",
      { kind: "js", expression: "items.some(i => i > 3)" },
      "isTrue",
      undefined,
    ],
    ['?? js "a == b" == a', { kind: "js", expression: '"a == b"' }, "==", "a"],
    [
      "?? body items.map(i => i.id) contains 3",
      { kind: "js", expression: "(response.parsedBody ?? response.body).items.map(i => i.id)" },
      "contains",
      "3",
    ],
  ] as const)("%s", (source, field, predicate, expected) => {
    const { draft, faults } = parse(source);
    expect(faults).toEqual([]);
    expect(draft).toMatchObject({ field, predicate, isNegated: false });
    expect(draft?.expected?.parts.join("")).toBe(expected);
  });

  test.each([
    ["?? body name == Ada", ["name"], undefined],
    ["?? body items[0].name == Ada", ["items", 0, "name"], undefined],
    ['?? body ["first name"] == Ada', ["first name"], undefined],
    ["?? body items.length == 2", ["items", "length"], undefined],
    ["?? body $.items[?@.id == 3].name == Ada", [], "$.items[?@.id == 3].name"],
    ['?? jsonpath "$.id" == 3', ["id"], undefined],
  ])("the path of %s", (source, steps, query) => {
    const { draft, faults } = parse(source);
    expect(faults).toEqual([]);
    expect(draft?.field).toMatchObject({ kind: "body", path: { steps, ...(query && { query }) } });
  });

  test("a not before any predicate negates it", () => {
    expect(parse("?? body name not contains Ada").draft).toMatchObject({
      predicate: "contains",
      isNegated: true,
    });
    expect(parse("?? status not equals 404").draft).toMatchObject({
      predicate: "==",
      isNegated: true,
    });
  });

  test("the expected value is a template", () => {
    const { draft } = parse("?? body id == {{user.id}}");
    expect(draft?.expected?.parts).toMatchObject([{ kind: "path", name: "user", steps: ["id"] }]);
  });
});

describe("parseAssertion reads a long line once", () => {
  // With a search of the whole beginning for each predicate, these take minutes.
  const predicates = "a == ".repeat(200_000);
  test.each([
    ["in code", `?? js ${predicates}1`, "=="],
    ["in an open bracket", `?? js (${predicates}`, "isTrue"],
    ["in an open quote", `?? js "${predicates}`, "isTrue"],
  ])("predicates %s", (_name, source, predicate) => {
    expect(parse(source).draft?.predicate).toBe(predicate);
  });
});

describe("parseAssertion reports what cannot be evaluated", () => {
  test.each([
    ["??", "??", "The assertion has no field"],
    ["?? stauts == 200", "stauts", 'Unknown field "stauts"', 'Did you mean "status"?'],
    ["?? xpath /a == 1", "xpath", "XPath is not supported"],
    ["?? status", "?? status", "The assertion has no predicate"],
    [
      "?? body name contians Ada",
      "contians",
      'Unknown predicate "contians"',
      'Did you mean "contains"?',
    ],
    ["?? status is 200", "?? status is 200", 'The assertion has no known predicate: "is 200"'],
    ["?? status code == 200", "code", 'Unexpected text "code" after "status"'],
    ["?? status == OK", "OK", '"OK" is not a number'],
    ["?? duration < fast", "fast", '"fast" is not a number'],
    ["?? duration request < 5", "request", 'The duration "request" is not measured'],
    ["?? header == json", "?? header == json", "The assertion has no header name"],
    [
      "?? header content type == json",
      "content type",
      'The header name "content type" is not valid',
    ],
    ["?? body contains", "?? body contains", 'The predicate "contains" has no value'],
    ["?? body isString text", "text", '"isString" takes no value, found "text"'],
    ["?? body matches a(", "a(", 'The regular expression "a(" is not valid: Unterminated group'],
    ["?? js", "?? js", "The assertion has no expression"],
    ["?? body $.items[x] == 1", "$.items[x]", 'The JSONPath "$.items[x]" is not valid'],
    [
      "?? body items[ == 1",
      "?? body items[ == 1",
      'The assertion has no known predicate: "items[ == 1"',
    ],
  ])("%s", (source, at, message, hint?: string) => {
    const { draft, faults } = parse(source);
    expect(draft).toBeUndefined();
    expect(faults).toEqual([{ at, message, hint: hint ?? expect.any(String) }]);
  });
});
