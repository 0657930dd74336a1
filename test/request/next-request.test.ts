import { describe, expect, test } from "vitest";
import { parseEntries, renderRequest } from "../../lib/request/mod.ts";

const GET = "GET http://a.test/1";
const POST = "POST http://a.test/2";

/** What a text sends, as `METHOD URL body`, and its variable lines as `@name`. */
function read(text: string): { readonly sent: string[]; readonly warnings: string[] } {
  const warnings: string[] = [];
  const sent = parseEntries(text).map((entry) => {
    if (entry.kind === "assignment") return `@${entry.name}`;
    if (entry.kind === "script") return `script ${entry.when}`;
    const rendered = renderRequest(entry, { type: "text/plain" });
    warnings.push(...rendered.warnings);
    const { name, method, url, body } = rendered;
    return [name, method, url, body].filter((part) => part !== undefined).join(" ");
  });
  return { sent, warnings };
}

describe("a request line without a separator before it begins another request", () => {
  test.each<[text: string, line: string, ...sent: string[]]>([
    [`${GET}\n\n${POST}`, POST, GET, POST],
    [`${GET}\nA: 1\n\n${POST}\n\nx`, POST, GET, `${POST} x`],
    [`${GET}\n${POST}\nA: 1\n\nx`, POST, GET, `${POST} x`],
    [
      `${GET}\nA: 1\nDELETE http://a.test/x HTTP/1.1`,
      "DELETE http://a.test/x HTTP/1.1",
      GET,
      "DELETE http://a.test/x",
    ],
    [`${GET}\n\n# about\n# @name b\n@c = 1\n${POST}`, POST, GET, "@c", `b ${POST}`],
    [`${GET}\nContent-Type: application/json\n\n${POST}`, POST, GET, POST],
    [
      `HEAD http://a.test\n\nGET api.test/x`,
      "GET api.test/x",
      "HEAD http://a.test",
      "GET https://api.test/x",
    ],
    [`${GET}\n\n{{\n  test();\n}}\n\n${POST}`, POST, GET, POST],
    [`${GET}\n\n?? status == 200\n\n${POST}`, POST, GET, POST],
    [`${POST}\n\na\n\n> {%\n  x();\n%}\n\n# @name b\n${GET}`, GET, `${POST} a`, `b ${GET}`],
    [`${POST}\n\n{\n}\n\n# about\n# @name b\n${GET}`, GET, `${POST} {\n}`, `b ${GET}`],
    [`${POST}\nContent-Type: application/json\n\n1\n\n${GET}`, GET, `${POST} 1`, GET],
    [`${POST}\n\n{}\n\n@a = 1\n\n${GET}`, GET, `${POST} {}`, "@a", GET],
    [`${POST}\n\na\n\n> ./check.js\n\n${GET}`, GET, `${POST} a`, GET],
    [`${POST}\n\n${GET}`, GET, POST, GET],
    [`${POST}\n\na\n\n${GET}`, GET, `${POST} a`, GET],
    [`DELETE http://a.test\n\n${GET}`, GET, "DELETE http://a.test", GET],
    [`${POST}\nContent-Type: text/xml\n\n<a/>\n\n${GET}`, GET, `${POST} <a/>`, GET],
  ])("%j", (text, line, ...sent) => {
    const result = read(text);
    expect(result.sent).toEqual(sent);
    const message = `The line "${line}" begins another request, with no line "###" before it`;
    expect(result.warnings).toEqual([message]);
  });

  test("three requests in a row, as in httpYac", () => {
    const text = `    ${GET}\n    ${GET}\n    ${GET}\n    `;
    expect(read(text).sent).toEqual([GET, GET, GET]);
  });

  test("a separator ends the block in which several requests stand", () => {
    const text = `${GET}\n\n${POST}\n\nx\n\n### third\n${GET}\n\n${GET}`;
    expect(read(text).sent).toEqual([GET, `${POST} x`, GET, GET]);
  });
});

test.each([
  [`${GET}\nContent-Type: message/http\n\nGET /x HTTP/1.1`, `${GET} GET /x HTTP/1.1`],
  [`${POST}\nContent-Type: text/plain\n\n${GET}`, `${POST} ${GET}`],
  [`${GET}\n\nLIST items`, `${GET} LIST items`],
  [`${POST}\n\na\n\n  ${GET}`, `${POST} a\n\n  ${GET}`],
  [`${POST}\nContent-Type: {{type}}\n\na\n\n${GET}`, `${POST} a\n\n${GET}`],
])("words of a body begin no request: %j", (text, sent) => {
  expect(read(text).sent).toEqual([sent]);
});
