import { describe, expect, test } from "vitest";
import { checkText, parseRequests } from "../../lib/mod.ts";
import { renderRequest } from "../../lib/request/mod.ts";

function first(text: string) {
  const [draft] = parseRequests(text);
  if (draft === undefined) throw new Error("There is no request");
  return renderRequest(draft, new Map([["x", "1"]]));
}

const POST = "POST http://a.test\nContent-Type: application/json\n\n";

describe("scripts after a request are ignored with a warning", () => {
  test.each<[text: string, body: unknown, warnings: number]>([
    [`${POST}{"a": 1}\n\n> {% client.log(1) %}`, '{"a": 1}', 1],
    [`${POST}{"a": 1}\n\n> {%\n  a\n\n%}\n\n> {% b %}\n`, '{"a": 1}', 2],
    [`${POST}{"a": 1}\n> ./handler.js\n<> answer.json`, '{"a": 1}', 1],
    [`${POST}{"a": 1}\n\n?? status == 200\n?? body a == 1`, '{"a": 1}', 2],
    [`${POST}{"a": 1}\n\n{{\n  x();\n}}\n###\nGET http://b.test`, '{"a": 1}', 1],
    [`${POST}{"a": 1}\n\n{{@response\n  x();\n}}`, '{"a": 1}', 1],
    [`GET http://a.test\n\n> {% x %}`, undefined, 1],
    [`GET http://a.test\n?? status == 200`, undefined, 1],
    [`GET http://a.test\nA: 1\n> {% x %}`, undefined, 1],
    [`${POST}{"a": 1}\n\n> {% never closed`, '{"a": 1}', 1],
    ["POST http://a.test\n\n> a quote\n?? what", "> a quote", 1],
    ["POST http://a.test\n\n?? what\nmore", "?? what\nmore", 0],
    ["POST http://a.test\n\nsee\n> x.js\nmore", "see\n> x.js\nmore", 0],
    [`${POST}{{\n}}`, undefined, 1],
  ])("%j", (text, body, warnings) => {
    const request = first(text);
    expect(request.body).toBe(body);
    const notRun = request.notes?.filter((it) => it.startsWith("Not run: "));
    expect(notRun ?? []).toHaveLength(warnings);
  });

  test("the line with the file to save may precede or follow them", () => {
    const wanted = { path: "a.json", replace: false };
    expect(first(`${POST}{"a": 1}\n> {% x %}\n>> a.json`)).toMatchObject({ saveTo: wanted });
    expect(first(`${POST}{"a": 1}\n>> a.json\n\n> {%\nx\n%}`)).toMatchObject({ saveTo: wanted });
  });

  test("a check reports them with their positions", () => {
    const faults = checkText(`${POST}{"a": 1}\n\n> {%\nx\n%}`, new Map());
    expect(faults).toMatchObject([{ line: 6, column: 1, code: "ignored", severity: "warning" }]);
  });
});

describe("annotations", () => {
  test.each<[line: string, warning: string | undefined]>([
    ["# @no-redirct", '"# @no-redirct" is unknown. Did you mean "# @no-redirect"?'],
    ["# @forceref login", undefined],
    [
      "// @sleep 500",
      '"# @sleep" is not supported. The request is sent without waiting; wait in a TypeScript cell before it',
    ],
    [
      "# @curl-insecure",
      '"# @curl-insecure" is not supported. Options of curl are not used; write "# @connection", "# @timeout" or "# @no-redirect"',
    ],
    [
      "# @grpc-plaintext",
      '"# @grpc-plaintext" is not supported. Requests over GRPC are not supported',
    ],
    [
      "# @jq .items",
      '"# @jq" is not supported. The whole body is shown; in a TypeScript cell, select from client.responses.NAME.json, with "# @name NAME" above the request',
    ],
    [
      "# @kulala-expect-status-code 200\n# @name login",
      '"# @kulala-expect-status-code" is not supported. In a TypeScript cell, compare client.responses.login.status',
    ],
    [
      "# @name log-in\n# @stdin-cmd cat",
      '"# @stdin-cmd" is not supported. No command is run; in a TypeScript cell, read client.responses["log-in"]',
    ],
    ["# @dependsOn login", '"# @dependsOn" is not supported. Write "# @ref name"'],
    ["# @noRejectUnauthorized", undefined],
    ["# @force-ref login", undefined],
    ["# @accept chunked", undefined],
    ["# @injectVariables", undefined],
    ["# @no-log", undefined],
    ["# @todo write more", undefined],
    ["# @title the list", undefined],
  ])("%s", (line, warning) => {
    const { warnings } = first(`${line}\nGET http://a.test`);
    expect(warnings).toEqual(warning === undefined ? [] : [warning]);
  });
});
