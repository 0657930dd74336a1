import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readText } from "../../lib/request/mod.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { brief, importTexts, json, sendAll } from "./fixture.ts";

let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

type Json = Readonly<Record<string, unknown>>;

/** An export of version 4 with one workspace. */
const version4 = (...resources: readonly Json[]): string =>
  json({
    _type: "export",
    __export_format: 4,
    resources: [{ _id: "wrk", _type: "workspace", parentId: null, name: "Shop" }, ...resources],
  });

const request = (more: Json): Json => ({
  _id: "req",
  _type: "request",
  parentId: "wrk",
  name: "r",
  method: "GET",
  ...more,
});

/** A file of version 5. */
const version5 = (collection: readonly Json[], data: Json = {}): string =>
  json({
    type: "collection.insomnia.rest/5.0",
    name: "Shop",
    collection,
    environments: { name: "Base Environment", data },
  });

interface Case {
  readonly what: string;
  readonly source: (base: string) => string;
  readonly received: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: "variables of environments, nested ones and those of folders, which hold within",
    source: (base) =>
      version4(
        {
          _id: "env",
          _type: "environment",
          parentId: "wrk",
          data: { base, id: 1, a: { b: "x" }, "odd name": "" },
        },
        {
          _id: "fld",
          _type: "request_group",
          parentId: "wrk",
          name: "Inner",
          environment: { id: 2 },
          metaSortKey: 1,
        },
        request({ url: "{{ _.base }}/{{ id }}/{{_.a.b}}{{ _['odd name'] }}", metaSortKey: 2 }),
        request({ _id: "in", parentId: "fld", url: "{{ base }}/{{ _.id }}" }),
      ),
    received: ["GET /2", "GET /1/x"],
  },
  {
    what: "the query of the text and the parameters, disabled ones, and path parameters",
    source: (base) =>
      version5([
        {
          name: "a",
          url: `${base}/a/:id/:other?x=1#part`,
          method: "GET",
          parameters: [
            { name: "b c", value: "d&e" },
            { name: "off", value: "1", disabled: true },
          ],
          pathParameters: [{ name: "id", value: "7" }],
          headers: [{ name: "User-Agent", value: "insomnia/11.0.0" }],
        },
      ]),
    received: ["GET /a/7/:other?x=1&b%20c=d%26e\nAccept: */*"],
  },
  {
    what: "bodies of all kinds",
    source: (base) =>
      version5(
        [
          { body: { mimeType: "application/json", text: '{"a": {{ _.n }}}' } },
          {
            body: {
              mimeType: "application/x-www-form-urlencoded",
              params: [
                { name: "a b", value: "c&d" },
                { name: "off", value: "", disabled: true },
              ],
            },
          },
          {
            body: { mimeType: "text/csv", text: "a,b" },
            headers: [{ name: "content-type", value: "text/csv; header=present" }],
          },
          {
            body: {
              mimeType: "application/graphql",
              text: '{"query":"{ a }","variables":{"n":1}}',
            },
          },
          {
            body: {
              mimeType: "application/graphql",
              text: '{"query":"{ a }","variables":"{\\"n\\": {{ _.n }}}"}',
            },
          },
        ].map((one, index) => ({ name: `b${index}`, method: "POST", url: base, ...one })),
        { n: 5 },
      ),
    received: [
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{"a": 5}',
      "POST /\nContent-Type: application/x-www-form-urlencoded\nAccept: */*\n\na+b=c%26d",
      "POST /\ncontent-type: text/csv; header=present\nAccept: */*\n\na,b",
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{"query": "{ a }", "variables": {"n":1}}',
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{"query": "{ a }", "variables": {"n": 5}}',
    ],
  },
  {
    what: "headers and credentials of folders",
    source: (base) =>
      version5([
        {
          name: "f",
          meta: { id: "fld_1" },
          headers: [
            { name: "X-A", value: "1" },
            { name: "X-B", value: "2" },
          ],
          authentication: { type: "basic", username: "u", password: "p" },
          children: [
            {
              name: "a",
              url: base,
              method: "GET",
              headers: [{ name: "x-b", value: "3" }],
              authentication: {},
            },
            { name: "b", url: base, method: "GET", authentication: { type: "none" } },
            {
              name: "c",
              url: base,
              method: "GET",
              authentication: { type: "bearer", token: "t", prefix: "Token" },
            },
            {
              name: "d",
              url: base,
              method: "GET",
              authentication: { type: "apikey", key: "k", value: "v", addTo: "queryParams" },
            },
            {
              name: "e",
              url: base,
              method: "GET",
              authentication: { type: "bearer", token: "t", disabled: true },
            },
            {
              name: "g",
              url: base,
              method: "GET",
              authentication: { username: "v", password: "" },
            },
          ],
        },
      ]),
    received: [
      "GET /\nX-A: 1\nx-b: 3\nAuthorization: Basic dTpw\nAccept: */*",
      "GET /\nX-A: 1\nX-B: 2\nAccept: */*",
      "GET /\nX-A: 1\nX-B: 2\nAuthorization: Token t\nAccept: */*",
      "GET /?k=v\nX-A: 1\nX-B: 2\nAccept: */*",
      "GET /\nX-A: 1\nX-B: 2\nAccept: */*",
      "GET /\nX-A: 1\nX-B: 2\nAuthorization: Basic djo=\nAccept: */*",
    ],
  },
  {
    what: "tags: encoded texts, prompts with a default, and the response of another request",
    source: (base) =>
      version4(
        request({ _id: "req_1", name: "Log in", url: `${base}/json`, metaSortKey: 1 }),
        request({
          _id: "req_2",
          url: `${base}/{% base64 'encode', 'normal', 'a:b' %}/{% prompt 'User', 'Name?', 'ada' %}/{# gone #}{% response 'header', 'req_1', 'b64::Q29udGVudC1UeXBl::46b' %}`,
          metaSortKey: 2,
        }),
      ),
    received: ["GET /json", "GET /YTpi/ada/"],
  },
];

describe("what arrives when a document of Insomnia is run", () => {
  test.each(CASES)("$what", async ({ source, received }) => {
    const imported = importTexts([source(recorder.base)]);
    const arrived = (await sendAll(imported, recorder)).map(brief);
    expect(arrived).toHaveLength(received.length);
    for (const [index, one] of received.entries()) {
      if (one.includes("\n")) expect(arrived[index]).toBe(one);
      else expect(arrived[index]?.startsWith(one), arrived[index]).toBe(true);
    }
  });
});

test("scripts and tests of suites become assertions and variable lines", () => {
  const { document, remarks } = importTexts([
    version4(
      request({
        url: "http://a.test",
        afterResponseScript: [
          "insomnia.test('ok', () => { insomnia.expect(insomnia.response.code).to.eql(200); });",
          "insomnia.environment.set('token', insomnia.response.json().token);",
        ].join("\n"),
      }),
      {
        _type: "unit_test",
        requestId: "req",
        code: "const r = await insomnia.send();\nconst body = JSON.parse(r.data);\nexpect(r.status).to.equal(201);\nexpect(body.a).to.equal('b');",
      },
    ),
  ]);
  expect(document).toContain(
    "?? status == 200\n?? status == 201\n?? body $.a == b\n\n@token = {{r.response.body.token}}",
  );
  expect(remarks).toEqual([]);
});

test("each login has variables of its own, and secrets and private environments go to the private file", () => {
  const login = (clientId: string): Json => ({
    type: "oauth2",
    grantType: "client_credentials",
    accessTokenUrl: "http://a.test/token",
    clientId,
    clientSecret: "s",
  });
  const { document, files } = importTexts([
    json({
      type: "collection.insomnia.rest/5.0",
      name: "Shop",
      collection: ["x", "y", "x"].map((id, index) => ({
        name: `r${index}`,
        url: "http://a.test",
        method: "GET",
        authentication: login(id),
      })),
      environments: {
        data: { place: "eu", password: "p", key: "k" },
        kvPairData: [{ name: "key", value: "k", type: "secret" }],
        subEnvironments: [
          { name: "own", meta: { isPrivate: true }, data: { place: "home" } },
          { name: "live", data: { place: "us" } },
        ],
      },
    }),
  ]);
  expect(document.match(/^Authorization: .*/gm)).toEqual([
    "Authorization: OAuth2 client_credentials auth",
    "Authorization: OAuth2 client_credentials auth_2",
    "Authorization: OAuth2 client_credentials auth",
  ]);
  const read = (path: string): unknown => JSON.parse(String(files.get(path)));
  expect(read("http-client.env.json")).toMatchObject({
    $shared: { place: "eu" },
    own: {},
    live: { place: "us" },
  });
  expect(read("http-client.private.env.json")).toMatchObject({
    $shared: { password: "p", key: "k", auth_clientId: "x", auth_2_clientId: "y" },
    own: { place: "home" },
  });
});

test("the folder that Insomnia writes into a repository is read, and what is no HTTP request is named", () => {
  const file = (id: string, more: Json): [string, string] => [
    `.insomnia/x/${id}.yml`,
    json({ _id: id, ...more }),
  ];
  const { document, remarks, requests } = importTexts([
    {
      text: "",
      files: Object.fromEntries([
        file("wrk", { type: "Workspace", parentId: null, name: "Shop" }),
        file("fld", { type: "RequestGroup", parentId: "wrk", name: "Inner" }),
        file("req", {
          type: "Request",
          parentId: "fld",
          name: "a",
          method: "GET",
          url: "http://a.test",
        }),
        file("ws", { type: "WebSocketRequest", parentId: "fld", name: "b", url: "ws://a.test" }),
        file("loop", { type: "RequestGroup", parentId: "loop", name: "c" }),
        file("lost", { type: "Request", parentId: "loop", name: "d", url: "http://b.test" }),
      ]),
    },
  ]);
  expect(requests).toBe(1);
  expect(document).toContain("# Shop\n\n###\n# Inner\n\n### a\n");
  expect(remarks).toEqual([
    "left out .insomnia/x/lost.yml: It is in a folder that is in itself",
    'left out .insomnia/x/ws.yml: "b" is a request of WebSocket',
  ]);
});

test("a template without a kin is a variable that the report names", () => {
  const { document, remarks, missing } = importTexts([
    version5([
      { name: "a", method: "GET", url: "http://a.test/{% hash 'md5' %}/{{ 1 + 1 }}/{{ open" },
    ]),
  ]);
  expect(document).toContain("GET http://a.test/{{hash_md5}}/{{_1_1}}/");
  expect(remarks).toHaveLength(2);
  expect(missing).toEqual(["hash_md5", "_1_1"]);
});

const NASTY = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "###\n",
        "\nGET http://evil.test\n",
        "< ./secret",
        "_.a",
        "'",
        '"',
        "\\",
        "?",
        "#",
        "&",
      ),
      fc.constantFrom(
        "{% response 'body', 'req', 'b64::JC5h::46b' %}",
        "{% prompt '###' %}",
        "{{ _['###'] }}",
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

test("whatever stands in a source, its requests are the only ones", () => {
  const row = fc.record({ name: NASTY, value: NASTY });
  const entry = fc.record({
    name: NASTY,
    method: fc.constant("POST"),
    url: NASTY.map((text) => `http://a.test/${text}`),
    meta: fc.record({ id: fc.constantFrom("req", "req_1"), description: NASTY }),
    body: fc.record({
      mimeType: fc.constantFrom("text/plain", "multipart/form-data", "application/graphql"),
      text: NASTY,
      params: fc.array(row, { maxLength: 2 }),
    }),
    headers: fc.array(row, { maxLength: 2 }),
    parameters: fc.array(row, { maxLength: 2 }),
    authentication: fc.record({
      type: fc.constantFrom("basic", "bearer", "apikey", "oauth2"),
      token: NASTY,
      key: NASTY,
      value: NASTY,
    }),
    scripts: fc.record({ afterResponse: NASTY }),
  });
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 3 }),
      fc.dictionary(NASTY, NASTY, { maxKeys: 3 }),
      (entries, data) => {
        const { document, remarks } = importTexts([version5(entries, data)]);
        const { statements, failure } = readText(document);
        expect(failure).toBeUndefined();
        const written = statements.filter((one) => one.kind === "request");
        const lost = remarks.filter((one) => one.includes("cannot express"));
        expect(written.length + lost.length).toBe(entries.length);
        for (const one of written) expect(String(one.url.parts[0])).toMatch(/^http:\/\/a\.test\//);
      },
    ),
    { numRuns: 300 },
  );
});
