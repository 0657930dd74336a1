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
    [
      "?? js 'a' in response.parsedBody",
      { kind: "js", expression: "'a' in response.parsedBody" },
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

  test("words before a predicate, in any order", () => {
    const words = { isEach: true, isNegated: true, ignoresCase: true };
    expect(parse("?? body $.a[*] each not ignoreCase == x").draft).toMatchObject(words);
    expect(parse("?? body $.a[*] IGNORECASE EACH NOT == x").draft).toMatchObject(words);
    expect(parse("?? body a.each == x").draft).not.toHaveProperty("isEach");
    expect(parse("?? count $.a[?@.b > 1] > 2").draft?.field).toMatchObject({
      kind: "count",
      path: { query: "$.a[?@.b > 1]" },
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
    [
      "?? body $.items[x] == 1",
      "$.items[x]",
      'Cannot read the JSONPath "$.items[x]": expected a quoted key, an index, "*" or "?" with a filter',
    ],
    [
      "?? body $.items[?length(@)] == 1",
      "$.items[?length(@)]",
      'Cannot read the JSONPath "$.items[?length(@)]": expected a comparison',
    ],
    ["?? body name ==", "?? body name ==", 'The predicate "==" has no value'],
    [
      "?? status == 200,201",
      "200,201",
      '"200,201" is not a number',
      'Write "?? status in 200, 201"',
    ],
    [
      "?? status == 200 or 404",
      "200 or 404",
      '"200 or 404" is not a number',
      'Write "?? status in 200, 404"',
    ],
    [
      "?? status != 200|404",
      "200|404",
      '"200|404" is not a number',
      'Write "?? status in 200, 404"',
    ],
    [
      "?? status == 2xx",
      "2xx",
      '"2xx" is not a number',
      'Write two lines: "?? status >= 200" and "?? status <= 299"',
    ],
    [
      "?? status == 200-299",
      "200-299",
      '"200-299" is not a number',
      'Write two lines: "?? status >= 200" and "?? status <= 299"',
    ],
    ["?? status in 200, 4xx", "200, 4xx", '"4xx" is not a number'],
    ["?? status == 200abc", "200abc", '"200abc" is not a number'],
    ["?? duration < 500ms", "500ms", '"500ms" is not a number'],
    ["?? count $.a == many", "many", '"many" is not a number'],
    ["?? count == 2", "?? count == 2", "There is no path to count"],
    ["?? body version >= 10.10.0", "10.10.0", '"10.10.0" is not a number or a date'],
    ["?? body at > noon", "noon", '"noon" is not a number or a date'],
    ["?? body at > 2026-02-30", "2026-02-30", '"2026-02-30" is not a number or a date'],
    ["?? body price ~= 0.3", "0.3", '"0.3" is not a number with a tolerance'],
    ["?? body price ~= 0.3 ± -1", "0.3 ± -1", '"0.3 ± -1" is not a number with a tolerance'],
    ["?? body n ignoreCase > 3", "ignoreCase >", '">" has no upper and lower case'],
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
