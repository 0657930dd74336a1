import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { brief, importTexts, json, sendAll } from "./fixture.ts";

let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

/** A source, what is set by hand, and what arrives. */
interface Case {
  readonly what: string;
  readonly source: (base: string) => string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly received: readonly string[];
}

const postman = (...item: readonly object[]): string => json({ info: { name: "Shop" }, item });

const openapi = (paths: object, more: object = {}): ((base: string) => string) => {
  return (base) =>
    json({ openapi: "3.1.0", info: { title: "Shop" }, servers: [{ url: base }], paths, ...more });
};

const CASES: readonly Case[] = [
  {
    what: "Postman: the parts of a URL, where its text says something else",
    source: (base) => {
      const { hostname: host, port } = new URL(base);
      const raw = "https://other.test/?old=1";
      const parts = { raw, protocol: "http", host: host.split("."), port };
      const auth = { user: "u", password: "p" };
      return postman(
        { name: "A", request: { url: { ...parts, path: ["", "a"] } } },
        { name: "B", request: { url: { ...parts, auth, path: "b/c", query: [{ key: "q" }] } } },
        { name: "C", request: { url: { raw: `${base}/c?d=1` } } },
        { name: "D", request: { url: { raw: `${base}/d`, host: [], path: [] } } },
      );
    },
    received: [
      "GET //a\nAccept: */*",
      "GET /b/c?q\nAuthorization: Basic dTpw\nAccept: */*",
      "GET /c?d=1\nAccept: */*",
      "GET /d\nAccept: */*",
    ],
  },
  {
    what: "Postman: headers of credentials that a client has computed, as they are",
    source: (base) => {
      const values = ['Digest username="u", uri="/x"', 'Hawk id="a"', "AWS a:b", 'Token a="b"'];
      const header = (value: string): object => ({ key: "Authorization", value });
      return postman(
        ...values.map((value, index) => ({
          name: `R${index}`,
          request: { url: `${base}/x`, header: [header(value)] },
        })),
      );
    },
    received: ['Digest username="u", uri="/x"', 'Hawk id="a"', "AWS a:b", 'Token a="b"'].map(
      (value) => `GET /x\nAuthorization: ${value}\nAccept: */*`,
    ),
  },
  {
    what: "OpenAPI: a variable of a path that a server has as well",
    source: (base) => {
      const variables = { part: { default: "v1" } };
      const parameters = [{ in: "path", name: "part", required: true, example: "p" }];
      const paths = { "/a/{part}": { get: { parameters } }, "/b": { get: {} } };
      return openapi(paths, { servers: [{ url: `${base}/{part}`, variables }] })(base);
    },
    received: ["GET /v1/a/p\nAccept: */*", "GET /v1/b\nAccept: */*"],
  },
  {
    what: "OpenAPI: XML of the schema, with its names, attributes, namespaces and wrappers",
    source: openapi({
      "/pets": {
        put: {
          requestBody: {
            content: {
              "application/xml": {
                schema: {
                  type: "object",
                  xml: { name: "pet", prefix: "p", namespace: "http://a.test/?a&b" },
                  properties: {
                    id: { type: "integer", xml: { attribute: true } },
                    name: { type: "string", example: "a<b" },
                    photos: {
                      type: "array",
                      xml: { wrapped: true },
                      items: { type: "string", example: "u", xml: { name: "photo" } },
                    },
                    tags: { type: "array", items: { type: "object", properties: {} } },
                  },
                },
              },
            },
          },
        },
      },
    }),
    received: [
      'PUT /pets\nContent-Type: application/xml\nAccept: */*\n\n<p:pet xmlns:p="http://a.test/?a&amp;b" id="1">\n  <name>a&lt;b</name>\n  <photos>\n    <photo>u</photo>\n  </photos>\n  <tags/>\n</p:pet>',
    ],
  },
  {
    what: "OpenAPI: parameters of all places, and a body of the schema",
    source: openapi(
      {
        "/shops/{shopId}/items": {
          parameters: [{ name: "shopId", in: "path", required: true, example: "a/b c" }],
          post: {
            parameters: [
              {
                name: "tag",
                in: "query",
                required: true,
                schema: { type: "array", items: { enum: ["x&y"] } },
              },
              { name: "page", in: "query", schema: { type: "integer" } },
              {
                name: "X-Trace",
                in: "header",
                required: true,
                schema: { type: "string", format: "uuid" },
              },
            ],
            requestBody: {
              content: { "application/json": { schema: { $ref: "#/components/schemas/Item" } } },
            },
            responses: { 201: { content: { "application/json": {} } } },
          },
        },
      },
      {
        components: {
          schemas: {
            Item: {
              type: "object",
              properties: {
                id: { type: "integer", readOnly: true },
                name: { type: "string", example: "{{no}}" },
                parts: { type: "array", items: { $ref: "#/components/schemas/Item" } },
                price: {
                  allOf: [{ type: "object", properties: { net: { type: "number", minimum: 3 } } }],
                },
              },
            },
          },
        },
      },
    ),
    received: [
      `POST /shops/a%2Fb%20c/items?tag=x%26y
Accept: application/json
Content-Type: application/json
X-Trace: 123e4567-e89b-12d3-a456-426614174000

{
  "name": "{{no}}",
  "parts": [],
  "price": {
    "net": 3
  }
}`,
    ],
  },
  {
    what: "OpenAPI: a key and a password as credentials",
    source: openapi(
      {
        "/a": { get: { security: [{ key: [] }], responses: {} } },
        "/b": { get: { responses: {} } },
        "/c": { get: { security: [], responses: {} } },
      },
      {
        security: [{ login: [] }],
        components: {
          securitySchemes: {
            key: { type: "apiKey", in: "query", name: "api key" },
            login: { type: "http", scheme: "basic" },
          },
        },
      },
    ),
    variables: { key_key: "k1", login_username: "ada", login_password: "pw" },
    received: [
      "GET /a?api%20key=k1\nAccept: */*",
      "GET /b\nAuthorization: Basic YWRhOnB3\nAccept: */*",
      "GET /c\nAccept: */*",
    ],
  },
  {
    what: "Swagger 2.0: a form, its base path and a body parameter",
    source: (base) =>
      json({
        swagger: "2.0",
        info: { title: "Shop" },
        host: base.replace("http://", ""),
        basePath: "/v1",
        schemes: ["http"],
        consumes: ["application/json"],
        paths: {
          "/form": {
            post: {
              consumes: ["application/x-www-form-urlencoded"],
              parameters: [{ name: "a b", in: "formData", type: "string", default: "1&2" }],
            },
          },
          "/body": {
            put: {
              parameters: [
                {
                  name: "ids",
                  in: "query",
                  required: true,
                  type: "array",
                  collectionFormat: "pipes",
                  items: { type: "integer" },
                  default: [1, 2],
                },
                { name: "body", in: "body", schema: { $ref: "#/definitions/A" } },
              ],
            },
          },
        },
        definitions: {
          A: { type: "object", properties: { at: { type: "string", format: "date" } } },
        },
      }),
    received: [
      "POST /v1/form\nContent-Type: application/x-www-form-urlencoded\nAccept: */*\n\na+b=1%262",
      'PUT /v1/body?ids=1%7C2\nContent-Type: application/json\nAccept: */*\n\n{\n  "at": "2024-01-31"\n}',
    ],
  },
  {
    what: "Postman: variables, path variables, disabled rows, inherited credentials",
    source: (base) =>
      json({
        info: { name: "Shop" },
        auth: { type: "bearer", bearer: [{ key: "token", value: "t-1" }] },
        variable: [
          { key: "base url", value: base },
          { key: "who", value: "ada" },
        ],
        item: [
          {
            name: "Users",
            item: [
              {
                name: "One",
                request: {
                  method: "GET",
                  url: {
                    raw: "{{base url}}/users/:id/x?q=a b&off=1&w={{who}}",
                    query: [
                      { key: "q", value: "a b" },
                      { key: "off", value: "1", disabled: true },
                      { key: "w", value: "{{who}}" },
                    ],
                    variable: [{ key: "id", value: "7" }],
                  },
                  header: [
                    { key: "X-A", value: "1" },
                    { key: "X-B", value: "2", disabled: true },
                  ],
                },
              },
              { name: "Two", request: { auth: { type: "noauth" }, url: "{{base url}}/two" } },
            ],
          },
        ],
      }),
    received: [
      "GET /users/7/x?q=a%20b&w=ada\nX-A: 1\nAuthorization: Bearer t-1\nAccept: */*",
      "GET /two\nAccept: */*",
    ],
  },
  {
    what: "Postman: every mode of a body",
    source: (base) =>
      postman(
        {
          name: "raw",
          request: {
            method: "POST",
            url: base,
            body: { mode: "raw", raw: '{"a":\r\n1}', options: { raw: { language: "json" } } },
          },
        },
        {
          name: "text",
          request: {
            method: "POST",
            url: base,
            body: { mode: "raw", raw: "### not\n\nGET http://a.test/\r\n" },
          },
        },
        {
          name: "form",
          request: {
            method: "POST",
            url: base,
            body: {
              mode: "urlencoded",
              urlencoded: [
                { key: "a", value: "1 2&3" },
                { key: "b", value: "x", disabled: true },
              ],
            },
          },
        },
        {
          name: "graphql",
          request: {
            method: "POST",
            url: base,
            body: { mode: "graphql", graphql: { query: "query { a }", variables: '{"b": 1}' } },
          },
        },
        {
          name: "parts",
          request: {
            method: "POST",
            url: base,
            body: { mode: "formdata", formdata: [{ key: 'n"', value: "< x\ny", type: "text" }] },
          },
        },
      ),
    received: [
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{"a":\n1}',
      "POST /\nContent-Type: text/plain\nAccept: */*\n\n### not\n\nGET http://a.test/\r\n",
      "POST /\nContent-Type: application/x-www-form-urlencoded\nAccept: */*\n\na=1+2%263",
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{"query": "query { a }", "variables": {"b": 1}}',
      'POST /\nContent-Type: multipart/form-data; boundary=restlab-boundary\nAccept: */*\n\n--restlab-boundary\r\nContent-Disposition: form-data; name="n%22"\r\n\r\n< x\r\ny\r\n--restlab-boundary--\r\n',
    ],
  },
  {
    what: "Postman: the body of a GET is not sent, unless a setting says so",
    source: (base) => {
      const request = { method: "GET", url: base, body: { mode: "raw", raw: "a" } };
      const protocolProfileBehavior = { disableBodyPruning: true };
      return postman({ name: "a", request }, { name: "b", request, protocolProfileBehavior });
    },
    received: ["GET /\nAccept: */*", "GET /\nContent-Type: text/plain\nAccept: */*\n\na"],
  },
  {
    what: "Postman: a value of a response is used by the next request",
    source: (base) =>
      postman(
        {
          name: "Log in",
          event: [
            {
              listen: "test",
              script: {
                exec: [
                  "const data = pm.response.json();",
                  'pm.environment.set("number", data.count);',
                  'pm.test("ok", function () { pm.response.to.have.status(200); pm.expect(pm.response.responseTime).to.be.below(60000); });',
                  'tests["json"] = responseBody.has("token");',
                ],
              },
            },
          ],
          request: { method: "POST", url: `${base}/login` },
        },
        { name: "Use", request: { url: `${base}/use/{{number}}` } },
      ),
    received: ["POST /login\nAccept: */*", expect.stringMatching(/^GET \/use\/\d+\n/)],
  },
  {
    what: "HAR: what a browser sends by itself is left out, credentials are variables",
    source: (base) =>
      `\uFEFF${json({
        log: {
          entries: [
            { request: { method: "GET", url: `${base}/app.js` } },
            {
              request: {
                method: "post",
                url: `${base}/api?q={{x}}&token=s3cret#part`,
                headers: [
                  { name: ":authority", value: "x" },
                  { name: "Host", value: "x" },
                  { name: "sec-fetch-mode", value: "cors" },
                  { name: "Accept", value: "application/json" },
                  { name: "Cookie", value: "sid=1; a={{b}}" },
                  { name: "Authorization", value: "Bearer abc" },
                ],
                postData: {
                  mimeType: "application/json",
                  text: '{"password":"p\\"w","a":"{{b}}"}',
                },
              },
              response: { status: 0 },
            },
            {
              request: {
                url: `${base}/bytes`,
                method: "PUT",
                postData: { mimeType: "image/png", text: "AP8=", encoding: "base64" },
              },
            },
            { request: { method: "REPORT", url: `${base}/own` } },
            { request: { method: "REPORT", url: `${base}/own` } },
            { request: { method: "GET", url: "data:text/plain,x" } },
            {},
          ],
        },
      })}`,
    received: [
      'POST /api?q={{x}}&token=s3cret\nContent-Type: application/json\nAccept: application/json\nCookie: sid=1; a={{b}}\nAuthorization: Bearer abc\n\n{"password":"p\\"w","a":"{{b}}"}',
      "PUT /bytes\nContent-Type: image/png\nAccept: */*\n\n\x00\xff",
      "REPORT /own\nAccept: */*",
    ],
  },
  {
    what: "curl: a script with variables, comments, pipes and several commands",
    source: (base) => `#!/bin/sh
set -e
BASE="${base}"
export ID=7
# Gets one
curl -s "$BASE/users/\${ID}?x={{lit}}" -H 'X-A: $BASE' | jq .

TOKEN=$(curl -X POST $BASE/login -d 'a=1' -d "b=$ID" | jq -r .token)
curl "$BASE/form" --data-urlencode "q=a b$ID" \\
  -H "Accept: text/plain" && curl -L $BASE/last
`,
    received: [
      "GET /users/7?x={{lit}}\nAccept: */*\nX-A: $BASE",
      "POST /login\nContent-Type: application/x-www-form-urlencoded\nAccept: */*\n\na=1&b=7",
      "POST /form\nContent-Type: application/x-www-form-urlencoded\nAccept: text/plain\n\nq=a+b7",
      "GET /last\nAccept: */*",
    ],
  },
];

describe("what arrives when an imported document is run", () => {
  const sorted = (text: unknown): unknown => {
    if (typeof text !== "string") return text;
    const [head = "", ...body] = text.split("\n\n");
    const [line, ...headers] = head.split("\n");
    return [[line, ...headers.sort()].join("\n"), ...body].join("\n\n");
  };

  test.each(CASES)("$what", async ({ source, variables, received }) => {
    const imported = importTexts([source(recorder.base)]);
    const arrived = await sendAll(imported, recorder, variables);
    expect(arrived.map(brief).map(sorted)).toEqual(received.map(sorted));
  });
});

test("HAR: files of pages and repetitions are left out and counted, or kept", () => {
  const entry = (url: string): object => ({
    request: { method: "GET", url: `http://a.test${url}` },
  });
  const har = json({ log: { entries: ["/a.css", "/b", "/b", "/c.png", "/b"].map(entry) } });
  const { requests, remarks } = importTexts([har]);
  expect(requests).toBe(1);
  expect(remarks).toEqual([
    "left out $.log.entries: Pages, scripts, images and the like: 2; --all keeps them",
    "left out $.log.entries: Requests that repeat another one: 2; --all keeps them",
  ]);
  const all = importTexts([har], { all: true });
  expect([all.requests, all.remarks]).toEqual([5, []]);
});

test("secrets go to the private file, and what nobody knows is listed", () => {
  const { files, missing } = importTexts([
    json({
      info: { name: "Shop" },
      variable: [
        { key: "base", value: "http://a.test" },
        { key: "apiToken", value: "t" },
        { key: "unset", value: "" },
      ],
      item: [
        {
          name: "a",
          request: {
            url: "{{base}}/{{unset}}/{{other}}",
            header: [{ key: "Authorization", value: "Basic YTpi" }],
          },
        },
      ],
    }),
  ]);
  expect(JSON.parse(String(files.get("http-client.env.json")))).toEqual({
    $shared: { base: "http://a.test" },
  });
  expect(JSON.parse(String(files.get("http-client.private.env.json")))).toEqual({
    $shared: { apiToken: "t", authorization: "YTpi" },
  });
  expect(missing).toEqual(["unset", "other"]);
});

test("servers of OpenAPI and environments of Postman are environments", async () => {
  const { files } = importTexts([
    openapi(
      {},
      {
        servers: [
          {
            url: "https://{place}.a.test",
            description: "live",
            variables: { place: { default: "eu" } },
          },
          { url: "http://b.test/" },
        ],
      },
    )(""),
    json({
      name: "stage",
      values: [
        { key: "user", value: "ada" },
        { key: "key", value: "s", type: "secret" },
        { key: "off", value: "1", enabled: false },
      ],
    }),
  ]);
  expect(JSON.parse(String(files.get("http-client.env.json")))).toEqual({
    $shared: { place: "eu", base: "https://{{place}}.a.test" },
    live: { base: "https://{{place}}.a.test" },
    "b.test": { base: "http://b.test" },
    stage: { user: "ada" },
  });
  expect(JSON.parse(String(files.get("http-client.private.env.json")))).toEqual({
    stage: { key: "s" },
  });
});

test("OpenAPI: fragments, headers of the client, examples of another type, and what cannot be sent", () => {
  const length = { in: "header", required: true, schema: { type: "integer" } };
  const text = { schema: { type: "string", example: "hello" }, example: { a: 1 } };
  const { document, remarks } = importTexts([
    openapi({
      "/#Action=Run": { servers: [{ url: "" }], get: { summary: "Run" } },
      "/raw": {
        post: {
          summary: "Raw",
          parameters: [{ name: "Content-Length", ...length }],
          requestBody: { content: { "text/plain": text } },
        },
        trace: { summary: "Trace" },
      },
    })("http://a.test"),
  ]);
  expect(document).toBe(
    [
      "# Shop\n\n### Run\n# @name get_Action_Run\nGET http://localhost/",
      "### Raw\n# @name post_raw\nPOST {{base}}/raw\nContent-Type: text/plain\n\nhello",
      "### Trace\n# Left out: TRACE {{base}}/raw\n",
    ].join("\n\n"),
  );
  expect(remarks).toEqual([
    'changed $.servers: The server "/" has no host: http://localhost stands for it',
    'left out $.paths["/raw"].trace: Request text cannot express this request: TRACE {{base}}/raw',
  ]);
});

test("Postman: a variable of a path below an empty segment, backslashes before a variable", async () => {
  const { base } = recorder;
  const variable = [{ key: "id", value: "7" }];
  const body = { mode: "raw", raw: "a\\\\{{x}}" };
  const request = { method: "POST", url: { raw: `${base}//:id`, variable }, body };
  const imported = importTexts([postman({ name: "R", request })]);
  const [sent] = await sendAll(imported, recorder, { x: "1" });
  expect([sent?.line, sent?.body]).toEqual(["POST //7", "a\\\\1"]);
});

test("a login of OpenAPI is written, though a person has to fill in its client", () => {
  const flows = { clientCredentials: { tokenUrl: "http://a.test/token", scopes: { read: "" } } };
  const { document, missing } = importTexts([
    openapi(
      { "/a": { get: { security: [{ login: ["read"] }] } } },
      { components: { securitySchemes: { login: { type: "oauth2", flows } } } },
    )("http://a.test"),
  ]);
  expect(document).toContain("GET {{base}}/a\nAuthorization: OAuth2 client_credentials login\n");
  expect(missing).toEqual(["login_clientId", "login_clientSecret"]);
});

test("the paths of a description may be in files of their own", () => {
  const { document } = importTexts([
    {
      text: openapi({ $ref: "./paths.yaml" } as object)("http://a.test"),
      files: {
        "paths.yaml": "/a:\n  $ref: ./a.yaml\n",
        "a.yaml": "get: { summary: The first }\n",
      },
    },
  ]);
  expect(document).toContain("### The first\n# @name get_a\nGET {{base}}/a");
  expect(() => importTexts([{ name: "paths.yaml", text: "/a:\n  get: {}\n" }])).toThrow(
    "No reader knows the source",
  );
});

test("of two credentials for one header, the second is a comment", () => {
  const { document } = importTexts([
    openapi(
      { "/a": { get: { security: [{ one: [], two: [] }] } } },
      {
        components: {
          securitySchemes: {
            one: { type: "http", scheme: "basic" },
            two: { type: "http", scheme: "bearer" },
          },
        },
      },
    )("http://a.test"),
  ]);
  expect(document).toContain("\nAuthorization: Basic {{one_username}} {{one_password}}\n");
  expect(document).toContain("\n# Authorization: Bearer {{two_token}}\n");
});

test("saved responses become outputs, and a folder a notebook each with a table of contents", () => {
  const source = postman(
    {
      name: "A/B",
      item: [
        {
          name: "x",
          request: { url: "http://a.test" },
          response: [{ name: "ok", code: 200, status: "OK", header: [], body: "hello" }],
        },
      ],
    },
    { name: "../A b", item: [{ name: "y", request: "http://b.test/y" }] },
    { name: "loose", request: "http://c.test" },
  );
  const { files } = importTexts([source], { kind: "folder" });
  expect([...files.keys()]).toEqual(["shop.ipynb", "a-b.ipynb", "a-b_2.ipynb", "README.md"]);
  expect(String(files.get("README.md"))).toContain("- [../A b](a-b_2.ipynb): 1 request");
  const { cells } = JSON.parse(String(files.get("a-b.ipynb")));
  expect(cells.at(-1).outputs[0].data["text/plain"].join("")).toBe("ok\n\n200 OK\n\nhello");
});

test("what no rule covers of a script is a comment, and stands in the report", () => {
  const exec = [
    "for (const one of pm.response.json()) { console.log(one); }",
    "pm.sendRequest('http://evil.test')",
  ];
  const { document, remarks } = importTexts([
    postman({
      name: "a",
      event: [{ listen: "test", script: { exec } }],
      request: { url: "http://a.test" },
    }),
  ]);
  expect(document).toContain("# pm.sendRequest('http://evil.test')");
  expect(remarks).toEqual([
    "left out $.item[0].event: Parts of its scripts have no equivalent: they are comments",
  ]);
});
