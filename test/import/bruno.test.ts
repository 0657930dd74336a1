import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BruError, parseBru } from "../../kernel/import/bru.ts";
import { readText } from "../../lib/request/mod.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { brief, type Imported, importTexts, sendAll } from "./fixture.ts";

let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

type Files = Readonly<Record<string, string>>;

const importFolder = (files: Files): Imported =>
  importTexts([{ name: "/home/ada/shop", text: "", files }]);

/** One request that is written as blocks. */
const importRequest = (...blocks: readonly string[]): Imported =>
  importFolder({ "bruno.json": '{"name": "Shop"}', "a.bru": blocks.join("\n\n") });

const get = (url: string, more = ""): string => `get {\n  url: ${url}\n${more}}`;
const block = (name: string, ...lines: readonly string[]): string =>
  `${name} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
const meta = (name: string, seq: number): string => block("meta", `name: ${name}`, `seq: ${seq}`);

/** Files of a folder, and what arrives. */
interface Case {
  readonly what: string;
  readonly files: (base: string) => Files;
  readonly environment?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly received: readonly string[];
}

const post = (base: string, body: string): string =>
  `post {\n  url: ${base}/\n  body: ${body}\n  auth: none\n}\n`;

const CASES: readonly Case[] = [
  {
    what: "a variable in a password has the value that the request gives it",
    files: (base) => ({
      "collection.bru": block("vars:pre-request", "id: 42"),
      "x.bru": [
        `get {\n  url: ${base}/\n  auth: basic\n}`,
        block("auth:basic", "username: u", "password: p{{id}}"),
        block("vars:pre-request", "id: 9"),
      ].join("\n\n"),
    }),
    received: ["GET /\nAuthorization: Basic dTpwOQ==\nAccept: */*"],
  },
  {
    what: "the kind of a multipart body that stands in a header",
    files: (base) => ({
      "x.bru": [
        post(base, "multipartForm"),
        block("headers", "Content-Type: multipart/mixed"),
        block("body:multipart-form", "a: b"),
      ].join("\n"),
    }),
    received: [
      'POST /\nContent-Type: multipart/mixed; boundary=restlab-boundary\nAccept: */*\n\n--restlab-boundary\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--restlab-boundary--\r\n',
    ],
  },
  {
    what: "variables of a request and a folder, which those below do not have",
    files: (base) => ({
      "collection.bru": block("vars:pre-request", "id: 1", "of: {{shared}}"),
      "a.bru": `${meta("a", 1)}\n${get(`${base}/{{id}}/{{of}}`)}\n${block("vars:pre-request", "id: 2", "shared: 3")}`,
      "b.bru": `${meta("b", 2)}\n${get(`${base}/{{id}}`)}`,
      "c/folder.bru": block("vars:pre-request", "id: 4"),
      "c/a.bru": get(`${base}/c/{{id}}`),
      "d/a.bru": get(`${base}/d/{{id}}`),
    }),
    received: ["/2/3", "/1", "/c/4", "/d/1"].map((path) => `GET ${path}\nAccept: */*`),
  },
  {
    what: "requests in their order, folders in theirs",
    files: (base) => ({
      "z.bru": `${meta("first", 1)}\n${get(`${base}/1`)}`,
      "a.bru": `${meta("second", 2)}\n${get(`${base}/2`)}`,
      "b/x.bru": get(`${base}/b`),
      "c/x.bru": get(`${base}/c`),
      "d/folder.bru": meta("D", 1),
      "d/e/x.bru": get(`${base}/d/e`),
      "d/x.bru": get(`${base}/d`),
      "empty/folder.bru": meta("Empty", 1),
    }),
    received: ["/1", "/2", "/d", "/d/e", "/b", "/c"].map((path) => `GET ${path}\nAccept: */*`),
  },
  {
    what: "query, path, headers and disabled rows",
    files: (base) => ({
      "a.bru": [
        get(`${base}/users/:id/:who?q=a b&flag&w={{who}}`),
        block("params:query", "q: a b", "flag:", "w: {{who}}", "~off: 1"),
        block("params:path", "id: a/b", "who: {{who}}"),
        block("headers", 'X-A: 1: 2, "x"', '"X-B": b', "~X-C: c", "@description('x')"),
        block("vars:pre-request", "who: ada"),
      ]
        .join("\n")
        .replaceAll("\n", "\r\n"),
      "b.bru": `\uFEFF${get(base)}\n${block("params:query", "a b: 1&2", "~c: 3")}`,
    }),
    received: [
      'GET /users/a/b/ada?q=a%20b&flag&w=ada\nX-A: 1: 2, "x"\nX-B: b\nAccept: */*',
      "GET /?a%20b=1%262\nAccept: */*",
    ],
  },
  {
    what: "what a request inherits: headers, credentials and variables",
    files: (base) => ({
      "bruno.json": '{"version": "1", "name": "Shop"}',
      "collection.bru": [
        block("headers", "X-Who: all", "X-All: {{all}}"),
        block("auth", "mode: bearer"),
        block("auth:bearer", "token: t-1"),
        block("vars:pre-request", "all: everybody", `base: ${base}`, "greeting: hi-{{team}}"),
      ].join("\n"),
      "in/folder.bru": [
        block("headers", "X-Who: {{who}}"),
        block("auth", "mode: basic"),
        block("auth:basic", "username: ada", "password: {{pw}}"),
        block(
          "vars:pre-request",
          "name: ada",
          "who: {{name}}-in",
          "unused: 1",
          "own: no",
          "team: red",
        ),
      ].join("\n"),
      "in/a.bru": `${get("{{base}}/a/{{own}}", "  auth: inherit\n")}\n${block("vars:pre-request", "own: yes")}`,
      "in/b.bru": `${get("{{base}}/b?g={{greeting}}", "  auth: none\n")}\n${block("headers", "X-Who: me")}`,
      "out.bru": get("{{base}}/out", "  auth: inherit\n"),
    }),
    variables: { pw: "pw" },
    received: [
      "GET /out\nX-Who: all\nX-All: everybody\nAuthorization: Bearer t-1\nAccept: */*",
      "GET /a/yes\nX-Who: ada-in\nX-All: everybody\nAuthorization: Basic YWRhOnB3\nAccept: */*",
      "GET /b?g=hi-red\nX-Who: me\nX-All: everybody\nAccept: */*",
    ],
  },
  {
    what: "every kind of body, of which only one is sent",
    variables: { b: "2" },
    files: (base) => ({
      "1.bru": `${post(base, "json")}body:json {\n\n  {\n    "a": "{{$x}}"\n  }\n}\nbody:text {\n  no\n}`,
      "2.bru": `${post(base, "text")}${block("body:text", "### not", "GET http://a.test/", "{")}`,
      "3.bru": `${post(base, "xml")}${block("body:xml", "<a/>")}`,
      "4.bru": `${post(base, "sparql")}${block("body:sparql", "SELECT *")}`,
      "5.bru": `${post(base, "formUrlEncoded")}${block("body:form-urlencoded", "a: 1 2&3", '"b:c": d', "~e: f")}`,
      "6.bru": `${post(base, "graphql")}${block("body:graphql", "{", "  a", "}")}\n${block("body:graphql:vars", '{"b": 1}')}`,
      "7.bru": `${post(base, "multipartForm")}${block("body:multipart-form", "a: '''", "  one", "  two", "''' @contentType(text/csv)", "b: 2", "~c: 3")}`,
      "81.bru": `${post(base, "json")}${block("body:json", "// one", "{", '  "a": "//", /* two */', '  "b": {{b}} // three', "}")}`,
      "8.bru": `${post(base, "none")}${block("body:json", "1")}`,
    }),
    received: [
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{\n  "a": "{{$x}}"\n}',
      "POST /\nContent-Type: text/plain\nAccept: */*\n\n### not\nGET http://a.test/\n{",
      "POST /\nContent-Type: application/xml\nAccept: */*\n\n<a/>",
      "POST /\nContent-Type: application/sparql-query\nAccept: */*\n\nSELECT *",
      "POST /\nContent-Type: application/x-www-form-urlencoded\nAccept: */*\n\na=1+2%263&b%3Ac=d",
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{"query": "{\\n  a\\n}", "variables": {"b": 1}}',
      'POST /\nContent-Type: multipart/form-data; boundary=restlab-boundary\nAccept: */*\n\n--restlab-boundary\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/csv\r\n\r\none\r\ntwo\r\n--restlab-boundary\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n--restlab-boundary--\r\n',
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{\n  "a": "//",\n  "b": 2\n}',
      "POST /\nAccept: */*",
    ],
  },
  {
    what: "credentials of several kinds",
    files: (base) => {
      const request = (mode: string, ...fields: readonly string[]): string =>
        `${get(base, `  auth: ${mode}\n`)}\n${block(`auth:${mode}`, ...fields)}`;
      return {
        "1.bru": request("apikey", "key: X-Key", "value: k", "placement: header"),
        "2.bru": request("apikey", "key: a b", "value: k", "placement: queryparams"),
        "3.bru": request("bearer", "token: {{token}}"),
        "4.bru": request("basic", "username: ada", "password: "),
      };
    },
    variables: { token: "t", auth_password: "pw" },
    received: [
      "GET /\nX-Key: k\nAccept: */*",
      "GET /?a%20b=k\nAccept: */*",
      "GET /\nAuthorization: Bearer t\nAccept: */*",
      "GET /\nAuthorization: Basic YWRhOnB3\nAccept: */*",
    ],
  },
  {
    what: "an environment, and a value of a response that the next request uses",
    files: (base) => ({
      "bruno.json": '{"name": "Shop"}',
      "environments/Local.bru": `${block("vars", `host: ${base}`, "~host: no", "@number", "api.version: 2")}\nvars:secret [\n  password,\n  ~other\n]\ncolor: #fff`,
      "environments/Other.bru": block("vars", "host: http://other.test"),
      "1.bru": `${get("{{host}}/v{{api.version}}")}\n${block("vars:post-response", "number: res.body.count", "@type: res.headers['content-type']", "code: res.status")}`,
      "2.bru": get("{{host}}/{{code}}?type={{type}}"),
    }),
    environment: "Local",
    received: ["GET /v2\nAccept: */*", expect.stringMatching(/^GET \/200\?type=application\/json/)],
  },
];

describe("what arrives when a collection of Bruno is run", () => {
  test.each(CASES)("$what", async ({ files, variables, environment, received }) => {
    const imported = importFolder(files(recorder.base));
    expect(imported.remarks).toEqual([]);
    const arrived = await sendAll(imported, recorder, variables, environment);
    const sorted = (text: string): string => {
      const [head = "", ...body] = text.split("\n\n");
      const [line = "", ...headers] = head.split("\n");
      return [[line, ...headers.sort()].join("\n"), ...body].join("\n\n");
    };
    const wanted = received.map((one) => (typeof one === "string" ? sorted(one) : one));
    expect(arrived.map(brief).map(sorted)).toEqual(wanted);
  });
});

test("secrets have no value, and variables of the process are those that a person fills in", () => {
  const { files, missing } = importFolder({
    "bruno.json": "{}",
    "environments/a.bru": `${block("vars", "TOKEN: {{process.env.TOKEN}}", "home: {{process.env.HOME}}/x", "empty:")}\nvars:secret [ key ]`,
    "a.bru": get("http://a.test/{{process.env.PLACE}}/{{$env.HOME}}"),
  });
  expect(String(files.get("requests.http"))).toContain(
    "GET http://a.test/{{PLACE}}/%7B%7B$env.HOME%7D%7D",
  );
  expect(JSON.parse(String(files.get("http-client.env.json")))).toEqual({
    a: { home: "{{HOME}}/x" },
  });
  expect(files.has("http-client.private.env.json")).toBe(false);
  expect(new Set(missing)).toEqual(new Set(["TOKEN", "HOME", "empty", "key", "PLACE"]));
});

test("assertions, variables, settings and tags", () => {
  const { document, remarks } = importRequest(
    block("meta", "name: All", "tags: [", "  smoke", "  b-2", "]").replace(/^ {2}\]$/m, "  ]"),
    get("http://a.test"),
    block(
      "assert",
      "res.status: eq 200",
      "res.status: 200",
      "$res.body.name: eq 'ada lovelace'",
      "res.body.items[0].id: gte 3",
      "res.body: contains {{x}}",
      'res("a.b"): notIn [1, "b"]',
      "res.body.tags: length 2",
      "res.body.n: between 1, 5",
      "res.body.gone: isUndefined",
      "res.body.a: neq null",
      "res.body.b: eq ''",
      "res.body: isArray",
      "res.headers['content-type']: matches /json$/",
      "res.responseTime: lt 200",
      "~res.body.off: eq 1",
      "res.body: isJson",
      "res.body.c: matches (",
      "req.url: eq x",
    ),
    block(
      "vars:post-response",
      "token: res.body.data[0].token",
      "all: res.body",
      "js: res.body.map(x)",
    ),
    block("settings", "followRedirects: false", "timeout: 500"),
  );
  const wanted = `?? status == 200
?? status == 200
?? body $.name == ada lovelace
?? body $.items[0].id >= 3
?? body $ contains {{x}}
?? body $.a.b not in 1, b
?? body tags.length == 2
?? body $.n >= 1
?? body $.n <= 5
?? body $.gone not isDefined
?? body $.a not isNull
?? body $.b isEmpty
?? body $ isArray
?? header content-type matches json$
?? duration < 200

@token = {{All.response.body.data[0].token}}
@all = {{All.response.body}}
`;
  expect(document.slice(document.indexOf("?? "))).toBe(wanted);
  expect(document).toContain("# @tag smoke, b-2\n# @no-redirect\n# @timeout 500 ms\n");
  expect(document).toContain("# Disabled, an assertion of Bruno: res.body.off: eq 1\n");
  expect(remarks).toEqual([
    "left out a.bru: An assertion has no equivalent: res.body: isJson",
    "left out a.bru: An assertion has no equivalent: res.body.c: matches (",
    "left out a.bru: An assertion has no equivalent: req.url: eq x",
    "left out a.bru: A variable has no equivalent: js: res.body.map(x)",
  ]);
});

test("the common statements of scripts; the rest are comments", () => {
  const { document, remarks } = importRequest(
    meta("All", 1),
    get("http://a.test"),
    block("script:pre-request", 'bru.setVar("who", "ada");', "req.setHeader('a', 'b');"),
    block(
      "script:post-response",
      "const data = res.body;",
      'bru.setEnvVar("token", data.token);',
      "bru.setVar('type', res.getHeader('content-type'))",
    ),
    block(
      "tests",
      'test("one", function() {',
      "  const headers = res.getHeaders();",
      "  expect(res.getStatus()).to.equal(200);",
      "  expect(res.body.a[0]).to.eql('x');",
      "  expect(headers['x-a']).to.contain('b');",
      '  expect(res.getBody()).to.eql({"a": [1]});',
      "  expect(res.getResponseTime()).to.be.below(100);",
      "});",
      'test("two", async () => {',
      "  expect(res.getBody().ok).to.be.true;",
      "  expect(res.body).to.have.property('first-name');",
      "  expect(res.body.list).to.be.an('array');",
      "});",
      'test("three", () => { expect(other()).to.equal(1); });',
    ),
  );
  expect(
    document.slice(document.indexOf("# Not converted")),
  ).toBe(`# Not converted, a script of Bruno before the request:
# req.setHeader('a', 'b')
# Not converted, a script of Bruno after the response:
# test("three", () => { expect(other()).to.equal(1); })
# @name All
@who = ada
GET http://a.test

?? status == 200
?? body $.a[0] == x
?? header x-a contains b
?? body $ == {"a":[1]}
?? duration < 100
?? body $.ok == true
?? body $["first-name"] isDefined
?? body $.list isArray

@token = {{All.response.body.token}}
@type = {{All.response.headers.content-type}}
`);
  expect(remarks).toEqual([
    "left out a.bru: Parts of its scripts have no equivalent: they are comments",
  ]);
});

test("a WebSocket sends its messages", () => {
  const { document } = importRequest(
    block("meta", "name: Chat", "type: ws"),
    block("ws", "url: ws://a.test/", "body: ws"),
    block("body:ws", "name: 1", "content: '''", '    {"a": 1}', "  '''"),
    block("body:ws", "name: 2", "content: bye"),
  );
  expect(document).toContain(
    'WEBSOCKET ws://a.test/\nContent-Type: text/plain\n\n{"a": 1}\n===\nbye',
  );
});

test("what is left out is named with its place", () => {
  const { remarks, requests } = importFolder({
    "bruno.json": '{"name": }',
    "grpc.bru": block("grpc", "url: http://a.test"),
    "ntlm.bru": get("http://a.test", "  auth: ntlm\n"),
    "empty.bru": meta("Empty", 1),
    "broken.bru": `${get("http://a.test")}\nheaders {\n  a: 1\n  b\n}`,
    "endless.bru": "docs {\n  a",
    "later.bru": `${get("http://a.test")}\n} x`,
    "example.bru": `${get("http://a.test")}\n${block("example", "name: a")}`,
    "file.bru": `${post("http://a.test", "file")}${block("body:file", "~a: @file(b)", "a: @file(/etc/passwd) @contentType(text/plain)")}`,
    "sub/folder.bru": block("tests", "one()"),
    "sub/a.bru": get("http://a.test"),
    "notes.yml": "a: 1",
  });
  expect(requests).toBe(4);
  expect(remarks.toSorted()).toEqual([
    'changed file.bru: The file "/etc/passwd" is read from "./passwd": put it there',
    "left out broken.bru: It cannot be read: line 6: it has no colon",
    'left out bruno.json: It cannot be read: Reading "bruno.json" failed: it is not JSON: line 1, column 10: expected a value, found "}"',
    "left out empty.bru: It has no request",
    "left out endless.bru: It cannot be read: line 1: the block has no end",
    "left out example.bru: Its saved responses",
    "left out grpc.bru: Requests of gRPC are not supported",
    "left out later.bru: It cannot be read: line 4: it is no block",
    'left out ntlm.bru: Credentials of the type "ntlm" are not supported',
    "left out sub: The scripts of a folder, which run with each of its requests",
  ]);
});

test("a single file is a source", () => {
  const { document } = importTexts([
    { name: "/tmp/get users.bru", text: get("http://a.test/users") },
  ]);
  expect(document).toBe(
    "# get users\n\n### get users\n# @name get_users\nGET http://a.test/users\n",
  );
});

/** An OpenCollection: its parts, as one document and as files. */
const openCollection = (base: string): readonly [string, Files] => {
  const requests = `headers:
  - { name: X-All, value: "{{all}}" }
  - { name: X-Off, value: no, disabled: true }
auth: { type: basic, username: ada, password: "{{pw}}" }
variables:
  - { name: all, value: { type: number, data: "3" } }`;
  const environment = `name: Local
variables:
  - { name: base, value: "${base}" }
  - { name: pw, secret: true }`;
  const form = `info: { name: Form, type: http, seq: 2, tags: [smoke] }
http:
  method: POST
  url: "{{base}}/forms/:id?q=1"
  params:
    - { name: q, value: "1", type: query }
    - { name: off, value: "2", type: query, disabled: true }
    - { name: id, value: "7", type: path }
  body:
    type: form-urlencoded
    data: [{ name: a, value: 1 2 }, { name: b, value: x, disabled: true }]
  auth: inherit
runtime:
  variables: [{ name: unused, value: x }]
  assertions: [{ expression: res.status, operator: eq, value: "200" }, { expression: res.body, operator: isDefined }]
  actions:
    - type: set-variable
      phase: after-response
      selector: { expression: res.body.count, method: jsonq }
      variable: { name: count, scope: runtime }
  scripts: [{ type: tests, code: 'test("a", () => { expect(res.status).to.equal(200); });' }]
settings: { followRedirects: false, timeout: 0, maxRedirects: 5 }
docs: { content: A form, type: text/markdown }`;
  const query = `info: { name: Query, type: graphql, seq: 1 }
graphql: { method: POST, url: "{{base}}/graphql", body: { query: "query { a }", variables: '{"b": 1}' } }`;
  const json = `info: { name: Json, type: http }
http:
  method: PUT
  url: "{{base}}/{{count}}"
  body:
    - { title: no, body: { type: text, data: no } }
    - { title: yes, selected: true, body: { type: json, data: '{"a": 1}' } }`;
  const chat = `info: { name: Chat, type: websocket }
websocket: { url: "ws://a.test/", message: [{ title: a, message: { type: json, data: "1" } }] }`;
  const indent = (text: string, by: string): string => text.replace(/\n/g, `\n${by}`);
  const item = (text: string, by: string): string => `${by}- ${indent(text, `${by}  `)}`;
  const one = `opencollection: "1.0.0"
info: { name: Shop }
bundled: true
docs: All of it
config:
  environments:
${item(environment, "    ")}
request:
  ${indent(requests, "  ")}
items:
${item(form, "  ")}
${item(query, "  ")}
  - info: { name: Inside, type: folder }
    items:
${item(json, "      ")}
${item(chat, "      ")}
`;
  const root = `opencollection: "1.0.0"\ninfo: { name: Shop }\ndocs: All of it\nrequest:\n  ${indent(requests, "  ")}\n`;
  return [
    one,
    {
      "opencollection.yml": root,
      "environments/Local.yml": environment,
      "a.yml": form,
      "b.yml": query,
      "c/folder.yml": "info: { name: Inside }",
      "c/a.yml": json,
      "c/b.yaml": chat,
    },
  ];
};

test("an OpenCollection is the same in one document and in files", async () => {
  const [one, files] = openCollection(recorder.base);
  const imported = importTexts([{ name: "shop.yml", text: one }]);
  const others = importFolder(files);
  expect(others.document).toBe(imported.document);
  expect([...others.files.values()]).toEqual([...imported.files.values()]);
  expect([...imported.remarks, ...others.remarks]).toEqual([]);
  expect(imported.missing).toEqual(["pw"]);
  const { document } = imported;
  expect(document).toContain("# Shop\n# All of it\n");
  expect(document).toContain(
    "# A form\n# Disabled: b=x\n# @name Form\n# @tag smoke\n# @no-redirect\n@unused = x\n",
  );
  expect(document).toContain(
    "?? status == 200\n?? body $ isDefined\n?? status == 200\n\n@count = {{Form.response.body.count}}\n",
  );
  expect(document).toContain("WEBSOCKET ws://a.test/\n");
  const withoutSocket = { ...imported, document: document.slice(0, document.indexOf("### Chat")) };
  const arrived = await sendAll(withoutSocket, recorder, { pw: "pw" }, "Local");
  expect(arrived.map(({ line }) => line)).toEqual([
    "POST /graphql",
    "POST /forms/7?q=1",
    expect.stringMatching(/^PUT \/\d+$/),
  ]);
  expect(arrived.map(({ body }) => body)).toEqual([
    '{"query": "query { a }", "variables": {"b": 1}}',
    "a=1+2",
    '{"a": 1}',
  ]);
  expect(
    arrived.map(({ headers }) =>
      Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value])),
    ),
  ).toEqual([
    expect.objectContaining({ "x-all": "3" }),
    expect.objectContaining({ "x-all": "3", authorization: "Basic YWRhOnB3" }),
    expect.not.objectContaining({ authorization: expect.anything() }),
  ]);
});

test("a request in YAML alone is a source; another file among them is named", () => {
  const request = "info: { name: A, type: http }\nhttp: { url: http://a.test }";
  const { document } = importTexts([{ name: "a.yml", text: request }]);
  expect(document).toBe("# a\n\n### A\n# @name A\nGET http://a.test\n");
  const { remarks, requests } = importFolder({
    "opencollection.yml": "opencollection: 1.0.0",
    "a.yml": request,
    "b.yml": "services: {}",
    "c.yml": "a: [",
    "d.yml": "info: { type: app }",
    "e.yml": "a: &a [*a]",
  });
  expect(requests).toBe(1);
  expect(remarks.map((one) => one.slice(0, 60))).toEqual([
    expect.stringMatching(/^left out c.yml: It cannot be read: Reading "c.yml" failed/),
    expect.stringMatching(/^left out e.yml: It cannot be read: Reading "e.yml" failed/),
    "left out b.yml: It has no request",
    "left out d.yml: It has no request",
  ]);
});

describe("hostile sources", () => {
  test("any text is blocks, or an error that says the line", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "get {",
        "body:json {",
        "headers {",
        "vars:secret [",
        "}",
        "]",
        "  '''",
        "  a: '''",
      ),
      fc.constantFrom(
        "  a: b",
        '  "a',
        "  a: [",
        "  @a('",
        "  @b(",
        '  @c("\\"")',
        "  ~",
        "color: x",
        "",
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        try {
          parseBru(lines.join("\n"));
        } catch (error) {
          expect(error).toBeInstanceOf(BruError);
          expect((error as Error).message).toMatch(/^line \d+: /);
        }
      }),
    );
  });

  test.each([
    ["one line of blanks", `headers {\n${" ".repeat(1e6)}a`],
    ["one line of quotes", `headers {\n"${'\\"'.repeat(5e5)}`],
    ["one long name", `${"a".repeat(1e6)} `],
    ["lists without an end", `headers {\n${"a: [\n".repeat(5e4)}}`],
    ["texts without an end", `headers {\n${"a: '''\n".repeat(1e5)}`],
    ["annotations without an end", `headers {\n${"@a('\n@b(\"\n@c(\n".repeat(1e5)}`],
    ["names without an end", `vars:secret [\n${"@a(\n".repeat(1e5)}`],
    ["a URL of signs", get(`http://a.test/${"?#:{{&/".repeat(1e5)}`)],
    [
      "a value of braces",
      `${get("http://a.test")}\n${block("vars:pre-request", `a: ${"{{a ".repeat(2e5)}`)}`,
    ],
    ["a script of brackets", `${get("http://a.test")}\n${block("tests", "expect(".repeat(1e5))}`],
    [
      "a script of blanks",
      `${get("http://a.test")}\n${block("tests", `bru.setVar("a",${" ".repeat(19_000)}`)}`,
    ],
    [
      "an assertion of blanks",
      `${get("http://a.test")}\n${block("assert", `res.body${" ".repeat(1e5)}x: eq [${" ".repeat(1e5)}`)}`,
    ],
  ])("%s takes no longer than it is long", (_what, text) => {
    const start = performance.now();
    importFolder({ "a.bru": text });
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test("names that are paths or mean something lead to no other file, environment or variable", () => {
    const files: Record<string, string> = {
      "bruno.json": '{"name": "../../etc"}',
      "environments/$shared.bru": block("vars", "__proto__: 1", "Security: 2", "constructor: 3"),
      "__proto__/constructor.bru": `meta {\n  name: ../../x\n  __proto__: y\n}\n${get("http://a.test", "  __proto__: z\n")}`,
    };
    const { files: written, document, requests } = importFolder(files);
    expect(requests).toBe(1);
    expect(JSON.parse(String(written.get("http-client.env.json")))).toEqual({
      shared: { ["__proto__"]: "1", Security_2: "2", constructor: "3" },
    });
    expect(document).toContain("# @name x\nGET http://a.test");
    expect([...written.keys()].every((path) => !path.includes(".."))).toBe(true);
    expect(Object.hasOwn(Object.prototype, "name")).toBe(false);
  });

  test("what looks like request text adds no request", () => {
    const evil = "\n### x\nGET http://evil.test/\n";
    const { document } = importRequest(
      block(
        "meta",
        "name: '''",
        "    a",
        "    ### x",
        "    GET http://evil.test/",
        "  '''",
        "tags: a",
      ),
      `docs {${evil}?? status == 1\n# @name y\n}`,
      get("http://a.test"),
      block("headers", "X-A: '''", "    1", "    ### x", "    GET http://evil.test/", "  '''"),
      block("vars:pre-request", "a: '''", "    ### x", "    GET http://evil.test/", "  '''"),
      block(
        "vars:post-response",
        "b: '''",
        "    res.body",
        "    ### x",
        "    GET http://evil.test/",
        "  '''",
      ),
      block(
        "assert",
        "res.status: '''",
        "    200",
        "    ### x",
        "    GET http://evil.test/",
        "  '''",
      ),
      `tests {${evil}}`,
    );
    const requests = readText(document).statements.filter(({ kind }) => kind === "request");
    expect(requests).toHaveLength(1);
  });

  test("folders may be nested deeply", () => {
    const path = "a/".repeat(1500);
    expect(importFolder({ [`${path}x.bru`]: get("http://a.test") }).requests).toBe(1);
  });
});

test("a part of a variable that a response sets is a part here as well", () => {
  const files = {
    "bruno.json": "{}",
    "a.bru": `${get("http://a.test/a")}\n${block("vars:post-response", "user: res.body.user", "~off: res.body")}`,
    "b.bru": get("http://a.test/{{user.id}}/{{user[0]}}/{{off.x}}/{{other.x}}"),
  };
  const { document, missing } = importTexts([{ name: "Shop", text: "", files }]);
  expect(document).toContain("\nGET http://a.test/{{user.id}}/{{user[0]}}/{{off_x}}/{{other_x}}");
  expect(missing).toEqual(["off_x", "other_x"]);
});
