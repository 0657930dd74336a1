import { describe, expect, test } from "vitest";
import { checkText, createClient, parseRequests } from "../../lib/mod.ts";
import { renderRequest } from "../../lib/request/mod.ts";

const VALUES = {
  x: "1",
  q: '"',
  y: { "//": 2 },
  type: "application/problem+json",
  xml: "application/xml",
};

function first(text: string) {
  const [draft] = parseRequests(text);
  if (draft === undefined) throw new Error("There is no request");
  return renderRequest(draft, VALUES);
}

const POST = "POST http://a.test\nContent-Type: application/json\n\n";
const TYPED = "POST http://a.test\nContent-Type: {{type}}\n\n";

describe("comments in JSON", () => {
  test.each<[text: string, body: string | undefined]>([
    [`${POST}{\n  // one\n  "a": 1 \n# two\n}`, '{\n        \n  "a": 1 \n     \n}'],
    [`${POST}// first\n{"a": 1}\n// last`, '{"a": 1}'],
    ["POST http://a.test\n\n# about\n[1]", "[1]"],
    [
      `${POST}{\n// {{nobody}} and {{a..b}}\n"a": "// no comment {{x}}"}`,
      '{\n                          \n"a": "// no comment 1"}',
    ],
    [
      `${POST}{"a": 1, // one\n"u": "http://x" /* two\n */}`,
      '{"a": 1,       \n"u": "http://x"       \n   }',
    ],
    [`${POST}{"a": [1, /* 2 */],\n# "b": 2\n}`, '{"a": [1         ] \n        \n}'],
    [`${POST}{"a": 1,}`, '{"a": 1,}'],
    [`${POST}{"a": "\\"// {{x}}", "b": "/*"}`, '{"a": "\\"// 1", "b": "/*"}'],
    [`${POST}{"a": {{y["//"]}} // b\n}`, '{"a": 2     \n}'],
    [`${POST}{"a": 1 # no comment\n}`, '{"a": 1 # no comment\n}'],
    [`${POST}{"a": 1} /* open`, '{"a": 1} /* open'],
    [`${POST}/* about\n */ {"a": 1}`, '    {"a": 1}'],
    [
      'POST http://a.test\n\n{"a": 1 // {{nobody}}, {{a..b}}\n}',
      '{"a": 1                        \n}',
    ],
    [`${TYPED}// {{nobody}}\n{"a": "{{q}}"}`, '{"a": "\\""}'],
    [`${TYPED}// nothing else`, undefined],
    [`${TYPED.replace("type", "xml")}// {{x}}\n{"a": "{{q}}"} // b`, '// 1\n{"a": """} // b'],
    [`${POST}// nothing else`, undefined],
    ["POST http://a.test\nContent-Type: text/plain\n\n# a heading\n{", "# a heading\n{"],
    ["POST http://a.test\n\n# a comment\ntext", "text"],
    ["POST http://a.test\n\n{{x}}\n# a comment", "1"],
    ["POST http://a.test\n\n{{x}}\n# text\n2", "1\n# text\n2"],
    ['POST http://a.test\n\n["a"]\nhttp://b.test', '["a"]\nhttp://b.test'],
    [`${POST}{"a": 1,\n?? body name == "200\n"b": 2 // c\n}`, '{"a": 1,\n"b": 2     \n}'],
    [`${POST}{"a": 1 /*\n?? status == 200\n*/}`, '{"a": 1   \n                \n  }'],
    [`${POST}query {\n  # all\n  a\n}`, '{"query": "query {\\n  # all\\n  a\\n}"}'],
  ])("%j is sent as %j", (text, body) => {
    expect(first(text).body).toBe(body);
  });

  test("do not change the positions of faults", () => {
    const text = `${POST}{\n  // a comment\n  "a": 1,,\n  "b": {{nobody}}\n}`;
    expect(checkText(text, new Map())).toMatchObject([{ line: 7, column: 8, code: "name" }]);
    expect(checkText(text.replace("{{nobody}}", "2"), new Map())).toMatchObject([
      { line: 6, column: 10, code: "json" },
    ]);
  });

  test("a long line of marks is parsed in linear time", () => {
    expect(first(`POST http://a.test\n\n${"# ".repeat(50_000)}\n[1]`).body).toBe("[1]");
    expect(first(`POST http://a.test\n\n${"> ".repeat(50_000)}x`).body).toHaveLength(100_001);
  });
});

describe("the client's Content-Type decides about a request without one", () => {
  test.each([
    ["text/plain", '{"a": "{{q}}"} // {{x}}', '{"a": """} // 1'],
    ["application/json", '// {{nobody}}\n["{{q}}"]', '["\\""]'],
  ])("%s", (type, body, sent) => {
    const lab = createClient({ headers: { "content-type": type } });
    lab.setVar("q", VALUES.q);
    lab.setVar("x", VALUES.x);
    const { headers, body: rendered } = lab.render(`POST http://a.test\n\n${body}`);
    expect(headers).toEqual([["content-type", type]]);
    expect(rendered).toBe(sent);
  });
});
