import { describe, expect, test } from "vitest";
import { checkText, parseRequests, type RequestDraft } from "../../lib/mod.ts";
import { parseEntries, renderRequest } from "../../lib/request/mod.ts";

function draftOf(text: string): RequestDraft {
  const [draft] = parseRequests(text);
  if (draft === undefined) throw new Error("There is no request");
  return draft;
}

function first(text: string) {
  return renderRequest(draftOf(text), new Map([["x", "1"]]));
}

/** The assertions and scripts of a request as they are written. */
function checksOf({ assertions = [], scripts = [], skipped = [] }: RequestDraft) {
  const written = ({ source, span }: { source: string; span: { start: number; end: number } }) =>
    source.slice(span.start, span.end);
  return [
    ...assertions.map(written),
    ...scripts.map((script) => {
      const { from, source, when } = script;
      const code = from.kind === "file" ? from.path : source.slice(from.code.start, from.code.end);
      return `${when} ${from.kind} ${code}`;
    }),
    ...skipped.map((one) => `skipped ${written(one)}`),
  ];
}

const POST = "POST http://a.test\nContent-Type: application/json\n\n";

describe("assertions and scripts are no part of a body", () => {
  test.each<[text: string, body: unknown, checks: string[]]>([
    [`${POST}{"a": 1}\n\n> {% client.log(1) %}`, '{"a": 1}', ["after code  client.log(1) "]],
    [
      `${POST}{"a": 1}\n\n> {%\n  a\n\n%}\n\n> {% b %}\n`,
      '{"a": 1}',
      ["after code \n  a\n\n", "after code  b "],
    ],
    [`${POST}{"a": 1}\n> ./handler.js\n<> answer.json`, '{"a": 1}', ["after file ./handler.js"]],
    [
      `${POST}{"a": 1}\n\n?? status == 200\n?? body a == 1`,
      '{"a": 1}',
      ["?? status == 200", "?? body a == 1"],
    ],
    [`${POST}{"a": 1,\n?? status == 200\n"b": 2}`, '{"a": 1,\n"b": 2}', ["?? status == 200"]],
    ["POST http://a.test\n?? status == 200\nA: 1\n\nbody", "body", ["?? status == 200"]],
    [
      `< {% a %}\n< ./b.js\n${POST}{"a": 1}\n> {% c %}`,
      '{"a": 1}',
      ["before code  a ", "before file ./b.js", "after code  c "],
    ],
    [
      `${POST}{"a": 1}\n\n{{\n  x();\n}}\n###\nGET http://b.test`,
      '{"a": 1}',
      ["after code \n  x();\n"],
    ],
    [`${POST}{"a": 1}\n\n{{@response\n  x();\n}}`, '{"a": 1}', ["after code \n  x();\n"]],
    [
      `{{\n  x();\n}}\n${POST}{"a": 1}\n\n{{@request\n  y();\n}}`,
      '{"a": 1}',
      ["before code \n  x();\n", "request code \n  y();\n"],
    ],
    [
      `${POST}{"a": 1}\n\n{{@streaming\n  x();\n}}`,
      '{"a": 1}',
      ["skipped {{@streaming\n  x();\n}}"],
    ],
    [`${POST}{"a": "{{x}}"}\n`, '{"a": "1"}', []],
    [`${POST}{"a": 1}\n> ./handler.lua`, '{"a": 1}', ["skipped > ./handler.lua"]],
    [`GET http://a.test\n\n> {% x %}`, undefined, ["after code  x "]],
    [`GET http://a.test\n?? status == 200`, undefined, ["?? status == 200"]],
    [`GET http://a.test\nA: 1\n> {% x %}`, undefined, ["after code  x "]],
    [
      "curl http://a.test\n\n?? status == 200\n> {% x %}",
      undefined,
      ["?? status == 200", "after code  x "],
    ],
    ["POST http://a.test\n\n?? what\nmore", "?? what\nmore", []],
    ["POST http://a.test\n\nsee\n> x.js\nmore", "see\n> x.js\nmore", []],
    [`${POST}{{\n}}`, undefined, ["after code \n"]],
  ])("%j", (text, body, checks) => {
    expect(checksOf(draftOf(text))).toEqual(checks);
    const request = first(text);
    expect(request.body).toBe(body);
    const notRun = request.warnings.filter((it) => it.startsWith("Not run: "));
    expect(notRun).toHaveLength(checks.filter((one) => one.startsWith("skipped")).length);
  });

  test("the line with the file to save may precede or follow them", () => {
    const wanted = { path: "a.json", replace: false };
    expect(first(`${POST}{"a": 1}\n> {% x %}\n>> a.json`)).toMatchObject({ saveTo: wanted });
    expect(first(`${POST}{"a": 1}\n>> a.json\n\n> {%\nx\n%}`)).toMatchObject({ saveTo: wanted });
  });

  test("a check reports scripts that are not run with their positions", () => {
    const faults = checkText(`${POST}{"a": 1}\n\n{{@streaming\nx\n}}`, new Map());
    expect(faults).toMatchObject([{ line: 6, column: 1, code: "ignored", severity: "warning" }]);
  });

  test.each([
    ["> {%\nx()", "The script is not closed"],
    ["> ./{{x}}.js", 'The path of the script contains a placeholder: "./{{x}}.js"'],
  ])("a check reports the fault of %j, and not that it is not run", (script, message) => {
    const faults = checkText(`GET http://a.test\n\n${script}`, {});
    expect(faults).toMatchObject([{ line: 3, column: 1, code: "syntax", message }]);
  });

  test("a check finds the names of expected values and the files of scripts", () => {
    const text = `# @name one\n${POST}{"a": 1}\n\n?? body a == {{nobody}}\n?? body a == {{one.response.body.a}}\n> ./no.js`;
    expect(checkText(text, new Map(), { hasFile: () => false })).toMatchObject([
      { line: 7, column: 14, code: "name", severity: "error" },
      { line: 9, column: 1, code: "file", severity: "error" },
    ]);
  });
});

describe("a script block of httpYac", () => {
  const entriesOf = (text: string): unknown[] =>
    parseEntries(text).map((entry) =>
      entry.kind === "script" ? [entry.when, entry.isForEach ?? false] : entry.kind,
    );

  test.each<[text: string, entries: unknown[]]>([
    ["{{\nx()\n}}", [["before", false]]],
    ["{{\nx()\n}}\n\n###\nGET http://a.test", [["before", false], "request"]],
    ["{{\nx()\n}}\nGET http://a.test", ["request"]],
    ["@a = 1\n{{+\nx()\n}}\nGET http://a.test", ["assignment", ["before", true], "request"]],
    ["@a = 1\n{{+\nx()\n}}\ncurl http://a.test", ["assignment", ["before", true], "request"]],
    ["{{+after\nx()\n}}\n###\nGET http://a.test", [["after", true], "request"]],
    ["{{+@response\nx()\n}}\n###\nGET http://a.test", [["after", true], "request"]],
    ["GET http://a.test\n\n{{+request\nx()\n}}", ["request", ["request", true]]],
  ])("%j", (text, entries) => {
    expect(entriesOf(text)).toEqual(entries);
  });

  test.each<[text: string, line: number, message: string]>([
    ["{{\nx()\n\n###\nGET http://a.test", 1, "The script is not closed"],
    ["GET http://a.test\n\n{{\nx()", 3, "The script is not closed"],
    ["{{@response\nx()\n}}", 1, "A script before a request has no request below it"],
    ["{{@streaming\nx()\n}}", 1, 'Not run: "{{@streaming": the event "streaming" is not supported'],
    [
      `GET http://a.test\n\n> ./x.ts`,
      3,
      'Not run: "> ./x.ts": script files in TypeScript are not supported',
    ],
  ])("%j is a fault", (text, line, message) => {
    expect(checkText(text, {})).toMatchObject([{ line, message }]);
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
      '"# @kulala-expect-status-code" is not supported. Write a line "?? status == 200" below the request',
    ],
    [
      "# @kulala-jq .items\n# @name login",
      '"# @kulala-jq" is not supported. The whole body is shown; in a TypeScript cell, select from client.responses.login.json',
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
