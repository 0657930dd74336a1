import { describe, expect, test } from "vitest";
import { kindOfCell } from "../../kernel/session/mod.ts";
import { checkText } from "../../lib/request/mod.ts";

const GET = "GET http://a.test/";

describe("a block that is no request is named for what it is", () => {
  test.each<[block: string, message: string, hint: string]>([
    [
      "{{@streaming\n  a()\n}}",
      'Not run: "{{@streaming": the event "streaming" is not supported',
      "TypeScript cell",
    ],
    [
      "{{+responseLogging\n  a()\n}}",
      'the event "responseLogging" is not supported',
      "{{@response",
    ],
    ["< ./a.lua", "scripts in Lua are not supported", "TypeScript cell"],
    ["> {%\n  a()\n%}", "A response handler without a request above it is not run", "Remove it"],
    ["?? status == 200", "An assertion without a request above it is not run", "Remove it"],
    ["--{%\n  a()\n--%}", "scripts in Lua are not supported", "TypeScript cell"],
    ["gql Names fragment Names on User {\n  a\n\n  b\n}", "found a GraphQL block", "fragment Name"],
    ["query Names {\n  a\n}", "found a GraphQL query", "GRAPHQL"],
    ["proto < ./a.proto", "found an import of a proto file", "gRPC is not supported"],
    ["%%ts\nconst a = 1;", "found code", "notebook"],
    ["const a = 1;", "found code", "restlab -e"],
    ["client.log(1);", "found code", "notebook"],
    ['{\n  "a": 1\n}', "found a body without a request", "method and a URL"],
    ['"a": 1,\n"b": 2', "found a body without a request", "method and a URL"],
    ["Some prose.\nMore of it.", 'Expected a request line, found "Some prose."', "Begin a request"],
  ])("%j", (block, message, hint) => {
    const faults = checkText(`# about\n${block}\n\n${GET}{{x}}`, {});
    expect(faults).toMatchObject([
      { line: 2, column: 1, code: "syntax", severity: "error" },
      // What follows is checked as well.
      { code: "name" },
    ]);
    expect(faults[0]?.message).toContain(message);
    expect(faults[0]?.hint).toContain(hint);
    expect(kindOfCell(block, true).kind).toBe("request");
  });

  test("a kept response ends at the next separator", () => {
    const response = "HTTP/1.1 200 OK\nA: 1\n\n[1]\n\nGET of a text\n";
    const faults = checkText(`${response}\n###\n${GET}{{x}}`, {});
    expect(faults).toMatchObject([{ line: 1 }, { line: 9, code: "name" }]);
    expect(faults[0]?.message).toContain('found a kept response: "HTTP/1.1 200 OK"');
  });

  test.each(["query", "{{base}}/x", "[::1]:80/x", "import/x", "http://a.test"])(
    "%s may be a target",
    (line) => {
      const faults = checkText(`GET ${line}`, { base: "http://a.test" });
      expect(faults.filter(({ code }) => code === "syntax")).toEqual([]);
    },
  );
});

describe("a cell of a request file", () => {
  test.each(["const a = 1", "{{\nx()\n}}", "%%ts\n1", "TOTAL / count", "hello"])("%j", (code) => {
    expect(kindOfCell(code, true)).toMatchObject({ kind: "request", text: code });
  });

  test("is empty if it contains only comments", () => {
    expect(kindOfCell("# nothing\n\n// here", true).kind).toBe("empty");
  });

  test("may choose an environment", () => {
    const cell = kindOfCell("%env dev\nhello", true);
    expect(cell).toMatchObject({ kind: "request", environment: { name: "dev" } });
  });
});
