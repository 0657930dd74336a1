import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  type AssertionResult,
  evaluateAssertion,
  parseAssertion,
} from "../../lib/assertions/mod.ts";
import { collectTemplate, renderTemplate, type Value } from "../../lib/interpolation/mod.ts";
import { parseJson } from "../../lib/json/mod.ts";

const BODY = `{
  "name": "Ada", "age": 36, "zero": 0, "admin": true, "gone": null, "empty": "",
  "tags": ["math", "engines"], "home": { "city": "London", "street": { "no": 12 } },
  "items": [{ "id": 1 }, { "id": 2 }], "big": 9007199254740993, "first name": "Augusta"
}`;

function answerOf(text: string, more: Partial<Answer> = {}): Answer {
  return {
    status: 200,
    headers: new Headers({ "Content-Type": "application/json; charset=utf-8", "X-Count": "3" }),
    text,
    get json() {
      return parseJson(text);
    },
    bytes: new TextEncoder().encode(text),
    timing: { headers: 20, total: 50 },
    ...more,
  };
}

async function evaluate(
  source: string,
  answer: Answer = answerOf(BODY),
  variables: Readonly<Record<string, Value>> = {},
): Promise<AssertionResult> {
  const parsed = parseAssertion(
    {
      source,
      report: (_span, message) => expect.unreachable(message),
      template: (span) => collectTemplate({ source }, span, []),
    },
    { start: 0, end: source.length },
  );
  if (parsed === undefined) throw new Error("not parsed");
  return await evaluateAssertion(parsed, {
    answer,
    render: (template) => renderTemplate(template, variables, "text"),
    evaluate: async (expression) =>
      new Function("response", `return (${expression})`)({ parsedBody: answer.json }),
  });
}

const digest = (algorithm: string, encoding: "base64" | "hex", text = BODY): string =>
  createHash(algorithm).update(text).digest(encoding);

describe("evaluateAssertion", () => {
  test.each([
    ["?? status == 200"],
    ["?? status != 404"],
    ["?? status > 199"],
    ["?? status >= 200"],
    ["?? status < 300"],
    ["?? status <= 200"],
    ["?? status startsWith 20"],
    ["?? status endsWith 00"],
    ["?? status contains 0"],
    ["?? status isNumber"],
    ["?? status matches ^2\\d\\d$"],
    ["?? duration < 500"],
    ["?? duration firstByte == 20"],
    ["?? duration download == 30"],
    ["?? header content-type startsWith application/json"],
    ["?? header Content-Type contains json"],
    ["?? header x-count == 3"],
    ["?? header x-count > 2"],
    ["?? header x-count isString"],
    ["?? header range isFalse"],
    ["?? header range not exists"],
    ["?? body contains Ada"],
    ["?? body isString"],
    ["?? body name == Ada"],
    ["?? body name equals Ada"],
    ["?? body name != Grace"],
    ["?? body name not equals Grace"],
    ["?? body name not contains x"],
    ["?? body name matches ^A.a$"],
    ["?? body name exists"],
    ["?? body name isString"],
    ["?? body name.length == 3"],
    ["?? body age == 36"],
    ["?? body age == 36.0"],
    ["?? body age isNumber"],
    ["?? body zero isFalse"],
    ["?? body admin == true"],
    ["?? body admin isTrue"],
    ["?? body admin isBoolean"],
    ["?? body gone == null"],
    ["?? body gone isFalse"],
    ["?? body missing == undefined"],
    ["?? body missing.deeper isFalse"],
    ["?? body empty isEmpty"],
    ["?? body tags isArray"],
    ["?? body tags contains math"],
    ['?? body tags == ["math", "engines"]'],
    ['?? body home == {"street": {"no": 12}, "city": "London"}'],
    ["?? body tags.length == 2"],
    ["?? body items[1].id == 2"],
    ['?? body ["first name"] == Augusta'],
    ["?? body big == 9007199254740993"],
    ["?? body $.items[?@.id == 2].id == 2"],
    ["?? body $.items[?@.id == 2].id[] == [2]"],
    ["?? jsonpath $.home.city == London"],
    ["?? js response.parsedBody.age > 30"],
    ["?? js response.parsedBody.tags.some(t => t > 'm')"],
    ["?? body items.map(i => i.id) == [1,2]"],
    [`?? body md5 ${digest("md5", "base64")}`],
    [`?? body sha256 ${digest("sha256", "base64")}`],
    [`?? body sha256 ${digest("sha256", "hex")}`],
    [`?? body sha512 ${digest("sha512", "base64")}`],
    [`?? body name sha256 ${digest("sha256", "hex", "Ada").toUpperCase()}`],
  ])("%s passes", async (source) => {
    expect(await evaluate(source)).toMatchObject({ passed: true, text: source.slice(3).trim() });
  });

  test.each([
    ["?? status == 404", "404", "200"],
    ["?? status != 200", "!= 200", "200"],
    ["?? status not equals 200", "not == 200", "200"],
    ["?? status > 200", "> 200", "200"],
    ["?? duration < 50", "< 50", "50"],
    ["?? header range exists", "a true value", "undefined"],
    ["?? header content-type == text/html", "text/html", "application/json; charset=utf-8"],
    ["?? body name == Grace", "Grace", "Ada"],
    ["?? body name not contains Ada", "not contains Ada", "Ada"],
    ["?? body zero exists", "a true value", "0"],
    ["?? body age isString", "a string", "36"],
    ["?? body big == 9007199254740992", "9007199254740992", "9007199254740993"],
    ["?? body home.city == Paris", "Paris", "London"],
    ["?? body tags == [1]", "[1]", '["math","engines"]'],
    ["?? body gone isTrue", "a true value", "null"],
    ["?? body missing > 1", "> 1", "undefined"],
    ["?? body name sha256 x", "sha256 x", digest("sha256", "base64", "Ada")],
  ])("%s fails with what was expected and what came", async (source, expected, actual) => {
    expect(await evaluate(source)).toMatchObject({ passed: false, expected, actual });
  });

  test.each<[value: string, holds: readonly string[], fails: readonly string[]]>([
    // numbers, as numbers and by all their digits
    [
      "9007199254740993",
      ["> 9007199254740992", "< 9007199254740994", "<= 9007199254740993.0"],
      ["<= 9007199254740992", ">= 9007199254740994", "== 9007199254740992", "!= 9007199254740993"],
    ],
    ["1.00000000000000001", ["> 1", "== 1.00000000000000001"], ["<= 1", "== 1"]],
    ["-2", ["< -1", "> -3", "<= 1e0"], ["> -1", "> 1"]],
    [
      "19.99",
      ["== 19.990", "== +19.99", "> 1.9e1", "~= 20 ± 0.01", "~= 20 +- 0.01", "~= 20 +/- 0.01"],
      ["== 19.99 EUR", "== 19,99", "~= 20 ± 0.009999", "== 19.99.0"],
    ],
    [
      "7",
      ["== 7", "== 7.0", "in 1, 7", "not in 1, 77", "in [1, 7]", "not == seven"],
      ["== 7 apples", "== 7,000", "== 07", "== 0x7", "in 77, 70", "== 7e"],
    ],
    ["2026", [">= 2026"], ["== 2026-05-05", "== 2026 AD"]],
    ["0.1", ["~= 0.3 ± 0.2", "~= 0.3 ± 0.20"], ["~= 0.3 ± 0.19999999999999999"]],
    ["1e400", ["> 1e399", "~= 1e400 ± 1"], ["== 1e401", "~= 1 ± 0.1"]],
    ['"12"', ["> 9", "== 12", "~= 11.5 ± 0.5"], ["> 100", "== 12.0"]],
    // dates and times
    [
      '"2026-01-31T12:00:00Z"',
      [
        ">= 2026-01-31",
        "< 2026-06-01",
        "> 2026-01-31T12:59:00+01:00",
        ">= 2026-01-31 12:00",
        "< 2026-01-31T12:00:00.000000001Z",
      ],
      [">= 2026-06-01", "> 2026-01-31T12:00:00.000Z"],
    ],
    [
      '"2026-03-01"',
      ["> 2026-02-28T23:59:59Z", "<= 2026-03-01T00:00:00Z"],
      ["< 2026-02-28", "> 2026-03-01T01:00:00+01:00"],
    ],
    [
      '"1969-12-31T23:59:59.5Z"',
      ["< 1970-01-01", "> 1969-12-31T23:59:59.25Z", "> 0001-01-01"],
      ["> 1969-12-31T23:59:59.75Z"],
    ],
    ['"09:30"', ["< 09:45", ">= 09:30:00", "< 09:30:00.5"], [">= 09:45", "> 10:00"]],
    // equality
    [
      "true",
      ["== true", "!= false"],
      ["== no", "== flase", "== null", "== 1", "== 1 of 2", "== True", "!= true"],
    ],
    ["false", ["== false"], ["== 0", "== true", "== null", "== undefined"]],
    [
      "null",
      ["== null", "isNull", "isDefined", "isFalse"],
      ["== undefined", "== 0", "not isNull", "isEmpty"],
    ],
    ['"true"', ["== true"], ["== TRUE"]],
    [
      '{"id": 9007199254740993}',
      ['== {"id":9007199254740993}', '!= {"id":9007199254740992}', "contains id"],
      [
        '!= {"id":9007199254740993}',
        "contains i",
        "contains 9007199254740993",
        "contains toString",
      ],
    ],
    [
      "[9007199254740993, 1.50]",
      ["== [9007199254740993,1.5]", "contains 1.5", "contains 9007199254740993"],
      ["!= [9007199254740993, 1.5]", "contains 1", "contains 9007199254740992"],
    ],
    [
      '{"p": 0.1234567890123456789}',
      ['== {"p": 0.12345678901234567890}'],
      ['== {"p": 0.1234567890123456788}'],
    ],
    // parts
    [
      "[10, 21]",
      ["contains 10", "not contains 1", "not contains 0,2", "count == 2"],
      ["contains 1", "contains 0,2"],
    ],
    [
      '["superadmin", "readonly"]',
      ["contains readonly", "not contains admin", "not contains ,", "ignoreCase contains READONLY"],
      ["contains admin", "contains ,", "ignoreCase contains ADMIN"],
    ],
    [
      '[{"a": 1}, [2], null]',
      ['contains {"a": 1}', "contains [2]", "contains null"],
      ["contains a", "contains 2"],
    ],
    [
      '"superadmin"',
      [
        "contains admin",
        "ignoreCase contains ADMIN",
        "ignoreCase startsWith Super",
        "ignoreCase endsWith IN",
        "ignoreCase == SuperAdmin",
        "ignoreCase matches ^SUPER",
        "ignoreCase in ADMIN, SUPERADMIN",
        "not ignoreCase == admin",
        "in admin, superadmin",
      ],
      [
        "contains ADMIN",
        "== SuperAdmin",
        "matches ^SUPER",
        "ignoreCase != SUPERADMIN",
        "in SUPERADMIN, admin",
      ],
    ],
    ['"a,b"', ['in ["a,b", "c"]', "not in a, b"], ["in a,b"]],
    // what is there
    ["0", ["isDefined", "not isNull", "not isEmpty"], ["exists", "isEmpty"]],
    ['""', ["isDefined", "isEmpty"], ["not isEmpty", "exists"]],
    ["[]", ["isEmpty", "isDefined"], ["not isEmpty"]],
    ["{}", ["isEmpty"], ["not isEmpty"]],
  ])("%s", async (value, holds, fails) => {
    const answer = answerOf(`{ "v": ${value} }`);
    const sourceOf = (rest: string): string =>
      rest.startsWith("count") ? `?? count v ${rest.slice(5)}` : `?? body v ${rest}`;
    const passed = async (rest: string) => (await evaluate(sourceOf(rest), answer)).passed;
    const wrong = [];
    for (const rest of holds) if (!(await passed(rest))) wrong.push(`${rest} failed`);
    for (const rest of fails) if (await passed(rest)) wrong.push(`${rest} passed`);
    expect(wrong).toEqual([]);
  });

  test.each([
    ['"10.2.0"', ">= 9", '"10.2.0" is not a number or a date'],
    ['"10.2.0"', "not < 9", '"10.2.0" is not a number or a date'],
    ['"1,000.50"', "< 2", '"1,000.50" is not a number or a date'],
    ['"007"', "> 1", '"007" is not a number or a date'],
    ["[5]", "> 1", '"[5]" is not a number or a date'],
    ["null", "< 1", '"null" is not a number or a date'],
    ['"2026-02-31"', "> 2026-01-01", '"2026-02-31" is not a number or a date'],
    ['"2026-13-01"', "> 2026-01-01", '"2026-13-01" is not a number or a date'],
    ['"24:00"', "> 09:30", '"24:00" is not a number or a date'],
    ['"2026"', "> 2026-01-01", '"2026" is a number, and "2026-01-01" a date'],
    ['"09:30"', "> 2026-01-01", '"09:30" is a time, and "2026-01-01" a date'],
    ['"x"', "~= 1 ± 2", '"x" is not a number'],
    ['{"a": 1}', "contains 1", "contains looks for a key of an object"],
    ["[[1]]", "contains 1", "contains looks for a whole element of a list"],
    ["[1, 20, 3]", "each < 10", "It is number 2 of 3"],
    ['["a", 5]', "each > 1", 'It is number 1 of 2. "a" is not a number or a date'],
    ["[]", "each > 1", "There is no value"],
    ["5", "each > 1", "It is not a list"],
  ])("%s %s fails and says why", async (value, rest, message) => {
    const result = await evaluate(`?? body v ${rest}`, answerOf(`{ "v": ${value} }`));
    expect(result).toMatchObject({ passed: false, message });
  });

  test("dates have the order of their milliseconds, whatever their zone", async () => {
    const date = fc.date({
      min: new Date("0001-01-02"),
      max: new Date("9998-12-30"),
      noInvalidDate: true,
    });
    const zone = fc.integer({ min: -14 * 60, max: 14 * 60 });
    const written = fc.tuple(date, zone).map(([at, minutes]) => {
      const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const [hours, rest] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map((part) =>
        String(Math.trunc(part)).padStart(2, "0"),
      );
      return { at, text: `${local}${minutes < 0 ? "-" : "+"}${hours}:${rest}` };
    });
    const signs = { "<": -1, ">": 1 } as const;
    await fc.assert(
      fc.asyncProperty(written, written, fc.constantFrom("<", ">"), async (one, other, sign) => {
        const answer = answerOf(JSON.stringify({ at: one.text }));
        const { passed } = await evaluate(`?? body at ${sign} ${other.text}`, answer);
        expect(passed).toBe(Math.sign(one.at.getTime() - other.at.getTime()) === signs[sign]);
      }),
      { numRuns: 300 },
    );
  });

  test("a missing value has no order", async () => {
    expect(await evaluate("?? body missing > 1")).toMatchObject({
      passed: false,
      message: "A missing value is not a number or a date",
    });
    expect((await evaluate("?? body missing isDefined")).passed).toBe(false);
    expect((await evaluate("?? body missing not isDefined")).passed).toBe(true);
  });

  test.each([
    ["?? body $.items[*].id each > 0", true],
    ["?? body $.items[*].id each > 1", false],
    ["?? body $.items[*].id each not == 3", true],
    ["?? body $.items[*].name each == x", false],
    ["?? body $.items[*].id each in 1, 2, 3", true],
    ["?? body $.tags[*] each isString", true],
    ["?? body tags each matches ^[a-z]+$", true],
    ["?? body tags each not ignoreCase contains MATH", false],
    ["?? js response.parsedBody.items each isDefined", true],
    ["?? count $.items[*] == 2", true],
    ["?? count $.items[?@.id > 1] == 1", true],
    ["?? count $.items[?@.none] == 0", true],
    ["?? count $..id >= 3", false],
    ["?? count items == 2", true],
    ["?? count missing == 0", false],
    ["?? count name == 3", false],
    ["?? status in 200, 404", true],
    ["?? status not in 201, 404", true],
    ["?? body $.items[?@.id].id == 1", true],
    ["?? body $.home[?search(@.no, '1')] isDefined", false],
  ])("%s: %s", async (source, passed) => {
    expect((await evaluate(source)).passed).toBe(passed);
  });

  test("a body of JSON equals the same JSON in another format", async () => {
    const answer = answerOf('{ "b": 1, "a": [2] }');
    expect(await evaluate('?? body == {"a":[2],"b":1}', answer)).toMatchObject({ passed: true });
    expect(await evaluate('?? body != {"a":[2],"b":1}', answer)).toMatchObject({ passed: false });
    expect(await evaluate('?? body == { "b": 1, "a": [2] }', answer)).toMatchObject({
      passed: true,
    });
  });

  test("long numbers of an expected value are compared digit for digit", async () => {
    const answer = answerOf('{ "user": { "id": 9007199254740993, "a": 1 } }');
    for (const [id, passed] of [
      ["9007199254740993", true],
      ["9007199254740992", false],
    ] as const) {
      const user = `{"a": 1, "id": ${id}}`;
      expect(await evaluate(`?? body user == ${user}`, answer)).toMatchObject({ passed });
      expect(await evaluate(`?? body == {"user": ${user}}`, answer)).toMatchObject({ passed });
    }
  });

  test("a body that is not JSON is a text", async () => {
    const answer = answerOf("plain text");
    expect(await evaluate("?? body == undefined", answer)).toMatchObject({ passed: false });
    expect(await evaluate("?? body != undefined", answer)).toMatchObject({ passed: true });
    expect(await evaluate("?? body == plain text", answer)).toMatchObject({ passed: true });
    expect(await evaluate("?? body length == 10", answer)).toMatchObject({ passed: true });
    expect(await evaluate("?? body name == x", answer)).toMatchObject({ passed: false });
  });

  test("the expected value is rendered with the variables", async () => {
    const variables = { user: { name: "Ada" }, pattern: "(" };
    expect(await evaluate("?? body name == {{user.name}}", undefined, variables)).toMatchObject({
      passed: true,
      text: "body name == {{user.name}}",
      expected: "Ada",
    });
    expect(await evaluate("?? body matches {{pattern}}", undefined, variables)).toMatchObject({
      passed: false,
      message: 'The regular expression "(" is not valid: Unterminated group',
    });
  });

  test("an expression that throws is a failure with its message", async () => {
    expect(await evaluate("?? js response.parsedBody.a.b.c == 1")).toMatchObject({
      passed: false,
      expected: "1",
      message: expect.stringContaining("undefined"),
    });
  });

  test("an expression that throws before a predicate without a value has what it expects", async () => {
    const { expected } = await evaluate("?? js response.parsedBody.a.b.c isNumber");
    expect(expected).toBe("a number");
  });

  test("an expected value that cannot be rendered is left out", async () => {
    const result = await evaluate("?? body name startsWith {{missing}}");
    expect(result.message).toContain("missing");
    expect(result).not.toHaveProperty("expected");
  });

  test.each([
    'name == "Ada"',
    "name startsWith 'A'",
    'tags contains "math"',
    "age == '36'",
    "name in 'Ada'",
  ])("quotes that are not a part of the value are explained: %s", async (rest) => {
    const { passed, message } = await evaluate(`?? body ${rest}`);
    expect([passed, message]).toEqual([
      false,
      "The quotes are a part of the expected value: write it without them",
    ]);
  });

  test("a long value is cut", async () => {
    const { actual } = await evaluate("?? body == x", answerOf("a".repeat(100_000)));
    expect(actual?.length).toBeLessThan(2_100);
  });

  test("the location is that of the line in its text", async () => {
    const { location } = await evaluate("?? status == 1");
    expect(location).toEqual({ line: 1, column: 1 });
  });
});
