import { describe, expect, test } from "vitest";
import { parseEntries, type RequestDraft, RequestSyntaxError } from "../../lib/request/mod.ts";
import { thrownBy } from "./thrown.ts";

const GET = "GET http://a.test/";

/** A text, and of each of its faults the position, words of the message and words of the hint. */
type Case = [text: string, ...faults: [at: string, message: string, hint?: string][]];

const CASES: Case[] = [
  ["GTE /users", ["1:1", 'Unknown method "GTE"', "Did you mean GET?"]],
  ["PSOT /users", ["1:1", 'Unknown method "PSOT"', "POST"]],
  ["POTS {{base}}/users", ["1:1", "POTS", "POST"]],
  ["DELET http://a.test", ["1:1", "DELET", "DELETE"]],
  ["DEL http://a.test", ["1:1", "DEL", "DELETE"]],
  ["OPT http://a.test", ["1:1", "OPT", "OPTIONS"]],
  ["OPTOINS http://a.test", ["1:1", "OPTOINS", "OPTIONS"]],
  ["gte http://a.test", ["1:1", "gte", "GET"]],
  ["GTE", ["1:1", 'Unknown method "GTE"', "GET"]],
  ["GET", ["1:1", "has no target", "GET https://"]],
  ["  get HTTP/1.1", ["1:3", "has no target"]],
  ["hello", ["1:1", 'Expected a request line, found "hello"', "Begin a request"]],
  ["hello world", ["1:1", 'Expected a request line, found "hello world"']],
  ["FOO BAR", ["1:1", "Expected a request line"]],
  ["list users", ["1:1", "Expected a request line"]],
  ["HTTP/1.1 200 OK", ["1:1", "Expected a request line"]],
  ["x{{method}} {{url}}", ["1:1", "Expected a request line"]],
  ["Accept: x", ["1:1", "Expected a request line", "Headers go below"]],
  ['{"a": 1}', ["1:1", "Expected a request line"]],
  ["GET http://a.test b", ["1:19", 'after the URL: "b"', "%20"]],
  ["GET {{base}} b", ["1:14", 'after the URL: "b"']],
  ["http://a.test/a b", ["1:17", 'after the URL: "b"']],
  ["/a is described elsewhere", ["1:4", "after the URL"]],
  ['POST http://a.test {"a":1}', ["1:20", 'after the URL: "{"a":1}"', "body below an empty line"]],
  ["GET http://a.test/a\tb", ["1:21", 'after the URL: "b"']],
  ["PUT http://a.test/a {}", ["1:21", 'after the URL: "{}"', "body below an empty line"]],
  [
    'PUT http://a.test/a {"a": 1} HTTP/1.1',
    ["1:21", 'after the URL: "{"a": 1} HTTP/1.1"', "body below an empty line"],
  ],
  ["PUT http://a.test/a [1]", ["1:21", 'after the URL: "[1]"', "body below an empty line"]],
  [
    "PUT http://a.test/a < b.json",
    ["1:21", 'after the URL: "< b.json"', "body below an empty line"],
  ],
  ['POST {{base}}/a{"a":1}', ["1:16", 'after the URL: "{"a":1}"', "body below an empty line"]],
  ['POST http://a.test{ "a": 1 }', ["1:19", 'after the URL: "{ "a": 1 }"', "below an empty line"]],
  ["POST http://a.test/a{", ["1:21", 'after the URL: "{"', "body below an empty line"]],
  ["POST {{base}}/a name=Ada b:=3", ["1:17", '"name=Ada b:=3"', "restlab http"]],
  ["POST http://a.test/a b:=3", ["1:22", 'after the URL: "b:=3"', "restlab http"]],
  ["GET http://a.test/a page==2", ["1:21", 'after the URL: "page==2"', "restlab http"]],
  ["GET http://a.test/a -H 'A: b'", ["1:21", "after the URL: \"-H 'A: b'\"", 'with "curl"']],
  ["GET http://a.test/a HTTP/x", ["1:21", "HTTP/x"]],
  ["GET http://a.test/a b HTTP/x", ["1:21", "b HTTP/x"]],
  ["GET http://a.test HTTP/x", ["1:19", "HTTP/x"]],
  ["http://a.test HTTP/1.1 x", ["1:15", "HTTP/1.1 x"]],
  ['GET "http://a.test"', ["1:5", "is in quotes", "without quotes"]],
  [`${GET}?a=b Accept: text/plain`, ["1:24", '"Accept: text/plain"', "lines of their own"]],
  ["GRPC a.test/Hello/say", ["1:1", "GRPC is not supported", "WebSockets"]],
  ["MQTT a.test", ["1:1", "MQTT is not supported"]],
  [`${GET}\nA B: 1`, ["2:1", 'The header name "A B" contains whitespace', "Name: value"]],
  [`${GET}\n: 1`, ["2:1", "has no name"]],
  [`${GET}\nA(: 1`, ["2:1", 'contains "("']],
  [`${GET}\né: 1`, ["2:1", 'contains "é"']],
  [`${GET}\n{{n}} x: 1`, ["2:1", "a blank line is missing"]],
  [`${GET}\nX {{n}}: 1`, ["2:1", "contains whitespace"]],
  [`${GET}\nA: 1\n  folded`, ["3:3", "begins with whitespace", "on one line"]],
  [`${GET}\n@a = 1`, ["2:1", "variable line", "before the request line"]],
  [`${GET}\n"a": 1`, ["2:1", "a blank line is missing", "Leave a blank line"]],
  [`${GET}\n> a`, ["2:1", "a blank line is missing"]],
  [`${GET}\n...defaults`, ["2:1", "Headers from an object", "Name: value"]],
  [`${GET}\nhello`, ["2:1", "no colon: a blank line is missing", "Name: value"]],
  [`${GET}\na=1&b=2`, ["2:1", "no colon"]],
  [`${GET}\n@a = 1`, ["2:1", "among the headers", "before the request line"]],
  ["@a", ["1:1", "no equals sign", "@name = value"]],
  ["@a.b c = 1", ["1:1", 'name "a.b c"']],
  ["@a.__proto__ = 1", ["1:1", "cannot be used in a placeholder"]],
  ["@a. = 1", ["1:1", "cannot be used in a placeholder", "letters"]],
  ["@ = 1", ["1:1", "cannot be used in a placeholder"]],
  ["@a b = 1", ["1:1", 'name "a b"']],
  ["< {%\nx\n%}", ["1:1", "A script before a request has no request below it", "remove it"]],
  [`< {%\nx\n${GET}`, ["1:1", "The script is not closed", "%}"]],
  [`< ./{{x}}.js\n${GET}`, ["1:1", "contains a placeholder", "no value decides"]],
  [`${GET}\n\n> {% x`, ["3:1", "The script is not closed", "%}"]],
  [`${GET}\n\n> ./{{x}}.js`, ["3:1", "contains a placeholder", "no value decides"]],
  [`${GET}\n?? stauts == 200`, ["2:4", 'Unknown field "stauts"', 'Did you mean "status"']],
  [
    `${GET}\nHTTP 201\n[Asserts]\njsonpath "$.id" == 1`,
    ["2:1", 'Hurl are not supported: "HTTP 201"', "?? status == 201"],
  ],
  [
    `POST http://a.test\n\n{"a": 1}\nHTTP *\n[Captures]\nid: jsonpath "$.id"`,
    ["4:1", 'Assertions of Hurl are not supported: "HTTP *"', "?? status == 200"],
  ],
  [`${GET}\n\n?? status`, ["3:1", "has no predicate", "?? status == 200"]],
  ["curl http://a.test\n?? status == x", ["2:14", '"x" is not a number']],
  [
    `{{@streaming\n  x();\n}}\n${GET}`,
    ["1:1", 'Not run: "{{@streaming": the event "streaming" is not supported', "{{@response"],
  ],
  [`###\n< ./prepare.lua\n${GET}`, ["2:1", "scripts in Lua are not supported", "JavaScript"]],
  [
    `# @script test\n> client.test("a", () => {\n> });\n${GET}`,
    ["2:1", "found a script line of resterm"],
  ],
  ["POST http://a.test\n\n> {%\nx\n%}\nafter", ["3:1", "Scripts"]],
  ["POST http://a.test\n\n{{\nx()\n}}\nafter", ["3:1", "Scripts"]],
  ["POST http://a.test\n\na\n\n< {% x %}", ["5:1", "Scripts", "###"]],
  [`###\nrun #all (@a b)\n${GET}`, ["2:11", 'The variable line "@a b" has no equals sign']],
  [
    `# @loop while open\n${GET}`,
    ["1:1", 'The loop "while open" is not supported', "for item of list"],
  ],
  [`# @loop for x of f(y)\n${GET}`, ["1:1", "is not supported", "TypeScript cell"]],
  [`# @loop for x of a.$..b\n${GET}`, ["1:1", "is not supported"]],
  [
    `# @disabled !ready\n${GET}`,
    ["1:1", '"!ready" of "# @disabled" is not supported', "true or false"],
  ],
  [`# @loop for 10001\n${GET}`, ["1:1", "more than 10000 passes", "smaller number"]],
  [`# @loop\ncurl http://a.test`, ["1:1", 'The loop "" is not supported']],
  [`# @import\n${GET}`, ["1:1", "names no file", ".http or .rest"]],
  [`# @import ./a.js\n${GET}`, ["1:1", 'Cannot import "./a.js"', "without placeholders"]],
  [`${GET}\n// @import {{dir}}/a.http`, ["2:1", 'Cannot import "{{dir}}/a.http"']],
  [`# @disabled !ready\n${GET}`, ["1:1", 'The condition "!ready"', "Write true or false"]],
  ["GET http://a.test/{{a..b}}\nA B: {{c[}}", ["1:23", "{{a..b}}"], ["2:1", "whitespace"]],
  [
    "GTE a.test y\nA B: 1\n: 2\nC: {{a..b}}\n\n{{d[-1]}}\n###\nGET",
    ["1:1", "GTE"],
    ["1:12", '"y"'],
    ["2:1", "A B"],
    ["3:1", "no name"],
    ["4:8", "{{a..b}}"],
    ["6:5", "{{d[-1]}}"],
    ["8:1", "no target"],
  ],
];

describe("parseEntries reports all faults with line and column", () => {
  test.each(CASES)("%j", (text, ...expected) => {
    const error = thrownBy(() => parseEntries(text));
    expect(error).toBeInstanceOf(RequestSyntaxError);
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error.name).toBe("RequestSyntaxError");
    expect(error.source).toBe(text);
    const faults = [...error.faults].sort((a, b) => a.span.start - b.span.start);
    expect(faults.map(({ line, column }) => `${line}:${column}`)).toEqual(
      expected.map(([at]) => at),
    );
    for (const [index, [, message, hint]] of expected.entries()) {
      expect(faults[index]?.message).toContain(message);
      expect(faults[index]?.hint ?? "").toContain(hint ?? "");
      expect(error.message).toContain(faults[index]?.message);
    }
  });

  test("the span of a fault covers the faulty text", () => {
    const text = "POST http://a.test\nBad Name: 1";
    const { faults } = thrownBy(() => parseEntries(text));
    expect(faults.map(({ span }) => text.slice(span.start, span.end))).toEqual(["Bad Name"]);
  });

  test("columns count code points, and CRLF counts as one line break", () => {
    const { faults } = thrownBy(() => parseEntries("GET http://a.test/😀 HTTP/x\r\nA B: 1"));
    expect(faults.map(({ line, column }) => [line, column])).toEqual([
      [1, 21],
      [2, 1],
    ]);
  });

  test("malformed placeholders alone throw a TemplateSyntaxError", () => {
    const error = thrownBy(() => parseEntries("GET /{{a..b}}\nA: {{c[x]}}\n\n{{d.}}"));
    expect(error.name).toBe("TemplateSyntaxError");
    expect(error.faults.map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  test("the message lists a limited number of faults and says so", () => {
    const { faults } = thrownBy(() => parseEntries(`${GET}\n${": x\n".repeat(1000)}`));
    expect(faults.length).toBe(101);
    expect(faults.at(-1)?.message).toContain("More faults follow");
  });
});

describe("parseEntries accepts custom and lower-case methods", () => {
  test.each([
    ["get /x", "GET"],
    ["Delete /x", "DELETE"],
    ["propfind /x", "PROPFIND"],
    ["M-SEARCH http://a.test", "M-SEARCH"],
    ["PURGE /x", "PURGE"],
    ["REPORT /x", "REPORT"],
    ["QUERY /x", "QUERY"],
    ["LIST /x", "LIST"],
    ["FROBNICATE /x", "FROBNICATE"],
    ["Frobnicate /x", "Frobnicate"],
    ["WEBSOCKET wss://a.test", "WEBSOCKET"],
  ])("%j", (text, method) => {
    expect((parseEntries(text)[0] as RequestDraft).method).toBe(method);
  });
});
