import { describe, expect, test } from "vitest";
import type { Value } from "../../lib/interpolation/mod.ts";
import { parseRequests, type RenderedRequest, renderRequest } from "../../lib/request/mod.ts";

function render(text: string, values: Readonly<Record<string, Value>> = {}): RenderedRequest {
  const [draft] = parseRequests(text);
  if (draft === undefined) throw new Error("The text holds no request");
  return renderRequest(draft, values);
}

const FORM = "POST a.test\nContent-Type: application/x-www-form-urlencoded\n\n";
const MULTIPART = "POST a.test\nContent-Type: multipart/form-data; boundary=b\n\n";
const GRAPHQL = "POST a.test\nX-Request-Type: GraphQL\n\n";

describe("renderRequest joins the lines of form fields", () => {
  const CASES: [body: string, sent: string, values?: Record<string, Value>][] = [
    ["a=1&b=two words", "a=1&b=two%20words"],
    ["a=1\n&b=2\n&c=3", "a=1&b=2&c=3"],
    ["a=1&\nb=2&\r\n  c=3", "a=1&b=2&c=3"],
    ["a={{x}}\n&b={{x}}", "a=1&b=1", { x: 1 }],
    ["a={{x}}&b=2", "a=1%0A&c=3&b=2", { x: "1\n&c=3" }],
    ["a={{%x}}", "a=1%26b%202", { x: "1&b 2" }],
    ["a=1\nb=2", "a=1%0Ab=2"],
    ["key1 = value1 &\nkey2 = value2 &\n key3=value3", "key1=value1&key2=value2&key3=value3"],
    ["  a=1\n    &b=2", "a=1&b=2"],
    ["grant_type=code&code\n=Vh&x=1", "grant_type=code&code=Vh&x=1"],
    ["a = {{x}} &\nb = {{x}}", "a=%201%20&b=%201%20", { x: " 1 " }],
    ["{{x}} = 1 & y = {{x}} = 2", "n=1&y=n%20=%202", { x: "n" }],
    ["t=Zm9v==\n&u=a = b", "t=Zm9v==&u=a%20=%20b"],
    ["a=\nb=2", "a=%0Ab=2"],
    ["a=1&\n", "a=1&"],
    ['a=é"<>\\^`{}|[]:/?@%2f%zz%', "a=%C3%A9%22%3C%3E\\^%60%7B%7D|[]:/?@%2f%25zz%25"],
    ["a={{x}}", "a=%F0%9F%98%80%EF%BF%BD", { x: "\u{1f600}\ud83d" }],
    ["a = Ada & Co\n&b = 1 & c = 2", "a=Ada%20&%20Co&b=1&c=2"],
    ["# about\na=1\n#&b={{nobody}}\n&c={{x}} &\n// d=4\ne=#5", "a=1&c=6&e=#5", { x: 6 }],
  ];
  test.each(CASES)("%j is sent as %j", (body, sent, values) => {
    expect(render(FORM + body, values).body).toBe(sent);
  });

  test("a line without an ampersand is warned of, without its text", () => {
    expect(render(`${FORM}a=1\npassword=x`).warnings).toEqual([
      "Line 2 of the form belongs to the value above it: begin it with & if it is another field",
    ]);
    expect(render(`${FORM}a=1\n\n&b=2`).warnings).toEqual([]);
  });

  test("the type may be a variable, or that of the client", () => {
    const form = "application/x-www-form-urlencoded";
    const typed = "POST a.test\nContent-Type: {{type}}\n\na = 1\n&b=2";
    expect(render(typed, { type: form }).body).toBe("a=1&b=2");
    expect(render(typed, { type: "text/plain" }).body).toBe("a = 1\n&b=2");
    const [draft] = parseRequests("POST a.test\n\na=1\n&b=2");
    const options = { contentType: form };
    expect(draft && renderRequest(draft, {}, options)).toMatchObject({
      body: "a=1&b=2",
      added: [],
    });
  });

  test("line breaks of other types are kept", () => {
    expect(render("POST a.test\nContent-Type: text/plain\n\na\n&b").body).toBe("a\n&b");
  });
});

describe("renderRequest splits a body at its files", () => {
  test("multipart text has CRLF, values are unchanged, and files are separate pieces", () => {
    const text = `${MULTIPART}--b\nContent-Disposition: form-data; name="x"\n\n{{x}}\n--b\nContent-Disposition: form-data; name="f"; filename="a.png"\n\n< ./{{f}}.png\n--b--`;
    expect(render(text, { x: "1\n2", f: "a" }).body).toEqual({
      pieces: [
        '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\n2\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n',
        { path: "./a.png", interpolated: false },
        "\r\n--b--\r\n",
      ],
    });
  });

  test("comments among the headers of a part and before its content are left out", () => {
    const parts = [
      'Content-Disposition: form-data; name="a"\n# Content-Type: a/b\n\n// {{nobody}}\n< ./a.txt',
      'Content-Disposition: form-data; name="b"\n\n# about\none\n# two',
      'Content-Disposition: form-data; name="c"\n\n#!/bin/sh\n# three',
      'Content-Disposition: form-data; name="d"\nContent-Type: text/markdown\n\n# Title',
    ];
    const text = `${MULTIPART}${parts.map((part) => `--b\n${part}`).join("\n")}\n--b--`;
    const { body, warnings } = render(text);
    const after = [
      'name="b"\n\none\n# two',
      'name="c"\n\n#!/bin/sh\n# three',
      'name="d"\nContent-Type: text/markdown\n\n# Title',
    ];
    expect(warnings).toEqual([]);
    expect(body).toEqual({
      pieces: [
        '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n',
        { path: "./a.txt", interpolated: false },
        `\n${after.map((part) => `--b\nContent-Disposition: form-data; ${part}`).join("\n")}\n--b--\n`.replaceAll(
          "\n",
          "\r\n",
        ),
      ],
    });
  });

  test("comments before the line of a file are left out", () => {
    const text = "POST a.test\nContent-Type: application/xml\n\n# about\n\n  // it\n< ./a.xml\n";
    expect(render(text).body).toEqual({ path: "./a.xml", interpolated: false });
  });

  test("any body may contain files, with an encoding and with placeholders", () => {
    const body = "POST a.test\nContent-Type: application/xml\n\n<a>\n<@latin1 ./b.xml\n</a>";
    expect(render(body).body).toEqual({
      pieces: [
        "<a>\n",
        { path: "./b.xml", interpolated: true, encoding: "latin1", place: "text" },
        "\n</a>",
      ],
    });
  });

  test.each(["<a>\n <b/>\n</a>", "1 < 2", "a\n<\nb", "a\n<  \nb", "x {{v}}< y"])(
    "%j names no file",
    (body) => {
      const sent = render(`POST a.test\nContent-Type: text/plain\n\n${body}`, { v: "1" }).body;
      expect(sent).toBe(body.replace("{{v}}", "1"));
    },
  );

  test("a value that looks like a file line is text", () => {
    const { body } = render("POST a.test\nContent-Type: text/plain\n\na\n{{v}}", { v: "< /x" });
    expect(body).toBe("a\n< /x");
  });
});

describe("renderRequest adds the Content-Type of a form", () => {
  const headersOf = (body: string, values = {}) => render(`POST a.test\n\n${body}`, values);

  test.each([
    "a=1",
    "a=1&b=2",
    "a=1&b",
    "a=1\n&b=%20\n&c[]=3\n",
    "user.name={{v}}&x={{v}}",
    "a={{v}}{{v}}",
  ])("%j", (body) => {
    const { headers, added, body: sent } = headersOf(body, { v: "two words" });
    expect(headers).toEqual([["Content-Type", "application/x-www-form-urlencoded"]]);
    expect(added).toEqual(["Content-Type"]);
    expect(sent).not.toMatch(/\n&/);
  });

  test.each(["SGk=", "SGkh==", "a = 1", "a=1\nb=2", "a=b c", "text", "<a b=1>", "{{v}}", "=a"])(
    "but not of %j",
    (body) => expect(headersOf(body, { v: "a=1" }).headers).toEqual([]),
  );
});

describe("renderRequest encodes GraphQL", () => {
  test("query and variables become one JSON body, and the header that marks it is not sent", () => {
    const text = `${GRAPHQL}query Find($id: ID!) {\n  user(id: $id) { name }\n}\n\n{\n  "id": "{{id}}",\n  "n": 9007199254740993\n}`;
    const { body, headers, added, method } = render(text, { id: 'a"b' });
    expect(headers).toEqual([["Content-Type", "application/json"]]);
    expect(added).toEqual(["Content-Type"]);
    expect(method).toBe("POST");
    expect(body).toContain('"n": 9007199254740993');
    expect(JSON.parse(body as string)).toEqual({
      query: "query Find($id: ID!) {\n  user(id: $id) { name }\n}",
      operationName: "Find",
      variables: { id: 'a"b', n: 9007199254740992 },
    });
  });

  test.each([
    ["query One($id: ID!) { a(id: $id) }", '"operationName": "One"'],
    ["mutation { a }", '{"query": "mutation { a }"'],
    ["subscription S @live { a }", '"operationName": "S"'],
  ])("%j with a JSON type is a query", (query, part) => {
    const text = `POST a.test\nContent-Type: application/json; charset=utf-8\n\n${query}`;
    const { body, warnings } = render(`${text}\n\n{ "id": 1 }`);
    expect(body).toContain(part);
    expect(body).toContain('"variables": { "id": 1 }');
    expect(warnings).toEqual([]);
  });

  test.each([
    "POST a.test\nContent-Type: text/plain\n\nquery { a }",
    "POST a.test\n\nquery { a }",
    "POST a.test\nContent-Type: application/json\n\nqueryable { a }",
  ])("%j is not a query", (text) => {
    expect(render(text).body).toMatch(/^query/);
  });

  test("the method GRAPHQL becomes POST", () => {
    const { body, method } = render("GRAPHQL a.test\n\n{ me { name } }");
    expect(method).toBe("POST");
    expect(body).toBe('{"query": "{ me { name } }"}');
  });

  test("the variables may be a placeholder, and the query may contain blank lines", () => {
    const text = `${GRAPHQL}query { a }\n\nfragment F on A { b }\n\n{{variables}}`;
    const { body } = render(text, { variables: { id: 1 } });
    expect(JSON.parse(body as string)).toEqual({
      query: "query { a }\n\nfragment F on A { b }",
      variables: { id: 1 },
    });
  });

  test("a query after a blank line is not variables", () => {
    const text = `${GRAPHQL}fragment F on A { b }\n\n{ a { ...F } }`;
    expect(JSON.parse(render(text).body as string).variables).toBeUndefined();
  });

  test("variables that are no JSON are an error with their place", () => {
    expect(() => render(`${GRAPHQL}{ a }\n\n{ "id": }`)).toThrow(
      'The JSON of the variables is not valid: expected a value, found "}" (line 6, column 9)',
    );
  });

  test("other values of X-REQUEST-TYPE are sent", () => {
    expect(render("POST a.test\nX-Request-Type: batch\n\nx").headers).toEqual([
      ["X-Request-Type", "batch"],
    ]);
  });
});
