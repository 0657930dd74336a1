import { describe, expect, test } from "vitest";
import type { Template } from "../../lib/interpolation/mod.ts";
import {
  type BodyDraft,
  type Entry,
  isDisabled,
  parseEntries,
  parseRequests,
  promptsOf,
  type RequestDraft,
} from "../../lib/request/mod.ts";

/** A template as it was written, but for what was joined. */
function written(template: Template): string {
  return template.parts
    .map((part) => (typeof part === "string" ? part : `{{${part.text}}}`))
    .join("");
}

/** A draft in few words, for comparison. */
function brief(entry: Entry): Record<string, unknown> {
  if (entry.kind === "assignment") return { [entry.name]: written(entry.value) };
  if (entry.kind === "script") return { script: entry.when };
  const { name, title, method, headers, body } = entry;
  const said = entry.annotations.map(({ key, value }) => `${key}=${value}`);
  return {
    request: `${method} ${written(entry.url)}`,
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(said.length === 0 ? {} : { said }),
    ...(headers.length === 0
      ? {}
      : { headers: headers.map((header) => `${header.name}: ${written(header.value)}`) }),
    ...(body === undefined
      ? {}
      : { body: body.kind === "file" ? `file ${written(body.path)}` : writtenBody(body) }),
  };
}

function writtenBody(body: BodyDraft): string | undefined {
  return body.kind === "text" ? written(body.text) : undefined;
}

const U = "http://a.test/u";
const request = `GET ${U}`;

const CASES: [what: string, text: string, entries: Record<string, unknown>[]][] = [
  ["an empty text holds nothing", "", []],
  ["blanks and comments hold nothing", " \n# a\n// b\n\t\n###\n### x\n", []],
  ["a request line alone", `GET ${U}`, [{ request }]],
  ["blank lines and comments before it", `\n# c\n// c\n  \nGET ${U}`, [{ request }]],
  ["a bare URL is a GET", U, [{ request }]],
  ["a bare URL with a version", `${U} HTTP/1.1`, [{ request }]],
  ["a bare placeholder is a GET", "{{base}}/u", [{ request: "GET {{base}}/u" }]],
  ["a bare host is a GET", "api.a.test/u", [{ request: "GET api.a.test/u" }]],
  ["a bare host with a port is a GET", "localhost:80", [{ request: "GET localhost:80" }]],
  ["a bare path is a GET", "/u", [{ request: "GET /u" }]],
  ["lower case", `get ${U}`, [{ request }]],
  ["blanks around and between", `  GET \t ${U}  `, [{ request }]],
  ["a version", `GET ${U} HTTP/1.1`, [{ request }]],
  ["a version without a handshake", `GET ${U} HTTP/2 (Prior Knowledge)`, [{ request }]],
  [
    "blanks in a query",
    `GET ${U}?$filter=name eq 'a' and n gt 1 HTTP/1.1`,
    [{ request: `${request}?$filter=name eq 'a' and n gt 1` }],
  ],
  [
    "blanks in a continued query",
    `GET ${U}\n  ?$filter=a eq '{{b}}'\n  &$top=3`,
    [{ request: `${request}?$filter=a eq '{{b}}'&$top=3` }],
  ],
  [
    "comments of several lines",
    `/*\n a comment\n*/\nGET ${U}\n\n###\n/* one\n# @name x */\n@a = 1`,
    [{ request }, { a: "1" }],
  ],
  ["a comment without an end", `/*\nGET ${U}`, []],
  [
    "an answer that is kept below a GET",
    `GET ${U}\n\nHTTP/1.1 200 - OK\ndate: x\n\n{"a": 1}\n\n###\nGET ${U}`,
    [{ request }, { request }],
  ],
  ["another version", `GET ${U} http/2`, [{ request }]],
  [
    "blanks inside placeholders",
    'GET {{ base }}/{{ h["a b"] }} HTTP/1.1',
    [{ request: 'GET {{base}}/{{h["a b"]}}' }],
  ],
  ["a continued query", `GET ${U}\n  ?a=1\n  &b={{x}}`, [{ request: `${request}?a=1&b={{x}}` }]],
  [
    "a continued query that is not indented",
    `GET ${U}\n?a=1\n&b=2`,
    [{ request: `${request}?a=1&b=2` }],
  ],
  ["a continued path", `GET ${U}\n  /v\n  ?a=1`, [{ request: `${request}/v?a=1` }]],
  [
    "comments between continued lines, a version at their end",
    `GET ${U}\n  ?a=1\n  # &c=3\n  // &c=3\n  &b=2 HTTP/1.1\nA: 1`,
    [{ request: `${request}?a=1&b=2`, headers: ["A: 1"] }],
  ],
  ["headers", `GET ${U}\nA: 1\nB:2\nA:\t3 `, [{ request, headers: ["A: 1", "B: 2", "A: 3"] }]],
  ["an empty header", `GET ${U}\nA:\nB: 1`, [{ request, headers: ["A: ", "B: 1"] }]],
  ["a blank before the colon", `GET ${U}\nA : 1`, [{ request, headers: ["A: 1"] }]],
  ["colons in a value", `GET ${U}\nA: b: c`, [{ request, headers: ["A: b: c"] }]],
  [
    "comments between headers",
    `GET ${U}\nA: 1\n# B: 2\n// C: 3\n/*\nE: 5\n*/\nD: 4`,
    [{ request, headers: ["A: 1", "D: 4"] }],
  ],
  [
    "an indented text as a whole",
    `\n    POST ${U}\n    A: 1\n\n    {}\n    ###\n    GET ${U}`,
    [{ request: `POST ${U}`, headers: ["A: 1"], body: "    {}" }, { request }],
  ],
  ["a body", `POST ${U}\n\nhello`, [{ request: `POST ${U}`, body: "hello" }]],
  [
    "a body keeps its inner blank lines",
    `POST ${U}\n\na\n\n b \n`,
    [{ request: `POST ${U}`, body: "a\n\n b " }],
  ],
  [
    "blank lines around a body",
    `POST ${U}\nA: 1\n \t\n\n\n a\n\n \n`,
    [{ request: `POST ${U}`, headers: ["A: 1"], body: " a" }],
  ],
  ["a body of blanks is none", `POST ${U}\n\n \n\t\n`, [{ request: `POST ${U}` }]],
  [
    "comments and variable lines after a request are no body",
    `POST ${U}\n\n# a\n// b\n@c = 1`,
    [{ request: `POST ${U}` }, { c: "1" }],
  ],
  [
    "a request line in a body is text",
    `POST ${U}\nContent-Type: text/plain\n\nGET /x`,
    [{ request: `POST ${U}`, headers: ["Content-Type: text/plain"], body: "GET /x" }],
  ],
  [
    "a number sign inside a line is text",
    `POST ${U}\n\na ### b\n  ### c`,
    [{ request: `POST ${U}`, body: "a ### b\n  ### c" }],
  ],
  ["comments behind a GET are no body", `GET ${U}\n\n# done\n\n###\n`, [{ request }]],
  ["a GET may have a body", `GET ${U}\n\n{}`, [{ request, body: "{}" }]],
  ["a file", `POST ${U}\n\n< ./a b.json\n`, [{ request: `POST ${U}`, body: "file ./a b.json" }]],
  [
    "a file with a placeholder",
    `POST ${U}\n\n<@ {{f}}.json`,
    [{ request: `POST ${U}`, body: "file {{f}}.json" }],
  ],
  ["XML is no file", `POST ${U}\n\n<a>b</a>`, [{ request: `POST ${U}`, body: "<a>b</a>" }]],
  [
    "a reference to an answer is no body",
    `POST ${U}\n\n{}\n\n<> a.json\n<> b.json`,
    [{ request: `POST ${U}`, body: "{}" }],
  ],
  ["two requests", `GET ${U}\n###\nPOST ${U}`, [{ request }, { request: `POST ${U}` }]],
  [
    "titles",
    `### one\nGET ${U}\n#### two\n\nGET ${U}\n###\nGET ${U}`,
    [{ request, title: "one" }, { request, title: "two" }, { request }],
  ],
  [
    "names and other annotations",
    `# @name login\n// @ref other\n#@no-redirect\n# @timeout = 5\n# plain @x\nGET ${U}\n###\nGET ${U}`,
    [
      { request, name: "login", said: ["name=login", "ref=other", "no-redirect=", "timeout=5"] },
      { request },
    ],
  ],
  [
    "the last name counts",
    `# @name a\n# @name b\nGET ${U}`,
    [{ request, name: "b", said: ["name=a", "name=b"] }],
  ],
  [
    "an annotation among headers",
    `GET ${U}\nA: 1\n# @name late`,
    [{ request, name: "late", said: ["name=late"], headers: ["A: 1"] }],
  ],
  [
    "an annotation as a title",
    `### @name login\nGET ${U}`,
    [{ request, name: "login", said: ["name=login"] }],
  ],
  ["an annotation before ### is gone", `# @name a\n###\nGET ${U}`, [{ request }]],
  [
    "assignments and requests in order",
    `@a = 1\n@b={{a}}/x \n# @name n\n@c =\nGET ${U}\n###\n@d = e = f`,
    [
      { a: "1" },
      { b: "{{a}}/x" },
      { c: "" },
      { request, name: "n", said: ["name=n"] },
      { d: "e = f" },
    ],
  ],
  ["%%http", `%%http\nGET ${U}`, [{ request }]],
  ["%%http with a request behind it", `\n%%http GET ${U}`, [{ request }]],
  ["a byte order mark", `\uFEFF@a = 1`, [{ a: "1" }]],
  ["a byte order mark before %%http", `\uFEFF%%http\n@a = 1`, [{ a: "1" }]],
  [
    "CRLF",
    `@a = 1\r\nPOST ${U}\r\n  ?b=2\r\nA: 1\r\n\r\nx\r\n\r\ny\r\n\r\n###\r\nGET ${U}\r\n`,
    [{ a: "1" }, { request: `POST ${U}?b=2`, headers: ["A: 1"], body: "x\r\n\r\ny" }, { request }],
  ],
  [
    "CR alone",
    `GET ${U}\rA: 1\r\rx\r###\rGET ${U}`,
    [{ request, headers: ["A: 1"], body: "x" }, { request }],
  ],
  [
    "text in quotes inside a header",
    `GET ${U}\nA: "{{x}}"`,
    [{ request, headers: ['A: "{{x}}"'] }],
  ],
];

describe("parseEntries", () => {
  test.each(CASES)("%s", (_, text, entries) => {
    expect(parseEntries(text).map(brief)).toEqual(entries);
  });

  test("parses the encoding and the placeholders of a file", () => {
    const bodies = ["< a", "<@ a", "<@latin1 a"].map(
      (body) => (parseEntries(`POST ${U}\n\n${body}`)[0] as RequestDraft).body,
    );
    expect(bodies).toMatchObject([
      { kind: "file", interpolated: false },
      { kind: "file", interpolated: true },
      { kind: "file", interpolated: true, encoding: "latin1" },
    ]);
  });

  test("reads the keys of annotations in any letter case", () => {
    const [draft] = parseRequests("# @Name a\n# @Disabled\n# @Prompt b\nGET http://a.test");
    if (draft === undefined) throw new Error("No request was read");
    expect(draft.name).toBe("a");
    expect(isDisabled(draft)).toBe(true);
    expect(promptsOf(draft).map(({ name }) => name)).toEqual(["b"]);
  });

  test("returns the span of everything", () => {
    const text = "# c\n@a = {{b}}\n\n  POST {{u}}\n   ?x=1 HTTP/1.1\n  A: b \n\n  body\n\n###\n";
    const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    const [assignment, draft] = parseEntries(text);
    if (assignment?.kind !== "assignment" || draft?.kind !== "request") throw new Error("kinds");
    expect(slice(assignment.span)).toBe("@a = {{b}}");
    expect(slice(assignment.valueSpan)).toBe("{{b}}");
    expect(slice(draft.urlSpan)).toBe("{{u}}\n   ?x=1");
    expect(draft.headers.map(({ span }) => slice(span))).toEqual(["A: b"]);
    expect(draft.body === undefined ? "" : slice(draft.body.span)).toBe("  body");
    expect(slice(draft.span)).toBe(text.slice(text.indexOf("POST"), text.indexOf("\n\n###")));
  });

  test("ends a request without a body after its last header", () => {
    const text = "GET /a\nA: 1\n# c\n\n\n###\nGET /b\n  ?c=1\n";
    const spans = parseEntries(text).map(({ span }) => text.slice(span.start, span.end));
    expect(spans).toEqual(["GET /a\nA: 1", "GET /b\n  ?c=1"]);
  });
});

describe("parseRequests", () => {
  test("omits assignments", () => {
    const drafts = parseRequests(`@a = 1\nGET ${U}\n###\n@b = 2\nPUT ${U}`);
    expect(drafts.map(({ method }) => method)).toEqual(["GET", "PUT"]);
  });
});
