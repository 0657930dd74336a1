import { createHash } from "node:crypto";
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
    ["?? body empty =="],
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

  test("quotes that are not a part of the value are explained", async () => {
    const { message } = await evaluate('?? body name == "Ada"');
    expect(message).toBe("The quotes are a part of the expected value: write it without them");
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
