import { describe, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";
import { createOpenApiChecker, readDescription } from "../../lib/verify/mod.ts";

const DESCRIPTION = `
openapi: 3.1.0
info: { title: Users, version: "1" }
servers:
  - url: https://api.example.com/{version}
    variables: { version: { default: v1 } }
paths:
  /users:
    parameters:
      - { name: tenant, in: query, required: true, schema: { type: string } }
    get:
      parameters: [{ $ref: "#/components/parameters/Trace" }]
      responses:
        "200":
          content:
            application/json:
              schema: { type: array, items: { $ref: "#/components/schemas/User" } }
        4XX: { $ref: "#/components/responses/Problem" }
    post:
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: "#/components/schemas/User" } }
      responses: { "201": { description: created } }
    put:
      parameters: [{ name: tenant, in: query, required: false, schema: { type: string } }]
      responses: { "204": { description: replaced } }
  /users/{id}:
    get:
      responses:
        "200":
          content: { application/json: { schema: { $ref: "#/components/schemas/User" } } }
  /users/me:
    get:
      responses: { default: { description: any } }
  /tree:
    get:
      responses:
        "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Tree" } } } }
  /circle:
    get:
      responses:
        "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Circle" } } } }
components:
  parameters:
    Trace: { name: X-Trace, in: header, required: true }
  responses:
    Problem: { content: { "application/*": { schema: { type: object, required: [title] } } } }
  schemas:
    User:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, minLength: 2 }
        example: { type: string }
    Tree:
      type: object
      properties: { children: { type: array, items: { $ref: "#/components/schemas/Tree" } } }
      additionalProperties: false
    Circle: { $ref: "#/components/schemas/Circle" }
`;

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: unknown;
  /** The body as a text. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The differences of a request and its answer, as lines. */
async function check(
  text: string,
  { status = 200, type = "application/json", body, raw, headers: others }: Answer,
  checker: ReturnType<typeof createOpenApiChecker> = createOpenApiChecker(
    readDescription(DESCRIPTION, "users.yaml"),
  ),
): Promise<readonly string[]> {
  const answer = raw || (body === undefined ? null : JSON.stringify(body));
  const headers = { ...others, ...(type === "" ? {} : { "content-type": type }) };
  const client = createClient({ fetch: async () => new Response(answer, { status, headers }) });
  const exchange = await client.send(text);
  return checker.check(exchange).map(({ place, promised, found }) => {
    const change = [promised, found].filter((one) => one !== "").join(" → ");
    return `${place}: ${change}`;
  });
}

const GET_USERS = "GET http://localhost/v1/users?tenant=a\nX-Trace: 1";

describe("createOpenApiChecker", () => {
  test.each<[name: string, text: string, answer: Answer, lines: readonly string[]]>([
    ["what is described", GET_USERS, { body: [{ id: 1, name: "Ada" }] }, []],
    [
      "a path without the base of the server",
      "GET http://localhost/users/1",
      { body: { id: 1, name: "Ada" } },
      [],
    ],
    ["a path without templates first", "GET http://localhost/users/me", { body: 3 }, []],
    [
      "an unknown path",
      "GET http://localhost/other?q=1",
      {},
      ["request: no such path → GET /other"],
    ],
    [
      "an unknown method",
      "DELETE http://localhost/users",
      {},
      ["request: GET, PUT, POST → DELETE /users"],
    ],
    [
      "missing parameters",
      "GET http://localhost/users",
      { body: [] },
      ['request: query "tenant" → missing', 'request: header "X-Trace" → missing'],
    ],
    [
      "a parameter of a path that the operation overrides",
      "PUT http://localhost/users",
      { status: 204, type: "" },
      [],
    ],
    ["an unknown status", GET_USERS, { status: 500, body: {} }, ["status: 200, 4XX → 500"]],
    [
      "a range of statuses",
      GET_USERS,
      { status: 404, type: "application/problem+json", body: { title: "x" } },
      [],
    ],
    ["a shared response", GET_USERS, { status: 404, body: {} }, ['$: Member "title" is missing']],
    [
      "another media type",
      GET_USERS,
      { type: "text/html", body: "x" },
      ["type: application/json → text/html"],
    ],
    [
      "a body that its schema does not allow",
      GET_USERS,
      {
        body: [
          { id: 1, name: "Ada" },
          { id: "2", name: "B" },
        ],
      },
      ["$[1].id: Expected an integer, found a string", "$[1].name: 1 character is fewer than 2"],
    ],
    [
      "no body",
      "POST http://localhost/users?tenant=a",
      { status: 201 },
      ["request: a body → none"],
    ],
    [
      "a request, in which members that are read-only are not required",
      'POST http://localhost/users?tenant=a\nContent-Type: application/json\n\n{"name": "Ada"}',
      { status: 201 },
      [],
    ],
    [
      "a body of a request that its schema does not allow",
      'POST http://localhost/users?tenant=a\nContent-Type: application/json\n\n{"name": 3}',
      { status: 201 },
      ["request $.name: Expected a string, found an integer"],
    ],
    [
      "a schema that contains itself",
      "GET http://localhost/tree",
      { body: { children: [{ children: [{ extra: 1 }] }] } },
      ['$.children[0].children[0].extra: Member "extra" is not allowed'],
    ],
    [
      "a schema that is only itself",
      "GET http://localhost/circle",
      { body: {} },
      ["$: The schema cannot be used: it refers to itself without end"],
    ],
  ])("%s", async (_name, text, answer, lines) => {
    expect(await check(text, answer)).toEqual(lines);
  });

  test.each(["other.yaml#/Users", "#/components/responses/None", "#/components/responses/Circle"])(
    "a response or a body that is %s is a difference",
    async ($ref) => {
      const described = { requestBody: { $ref }, responses: { 200: { $ref } } };
      const description = {
        openapi: "3.1.0",
        paths: { "/": { post: described } },
        components: { responses: { Circle: { $ref: "#/components/responses/Circle" } } },
      };
      const checker = createOpenApiChecker(readDescription(JSON.stringify(description), "a.json"));
      const lines = await check("POST http://localhost/\n\n{}", { body: {} }, checker);
      const reason = `The description cannot be used: unresolved $ref "${$ref}"`;
      expect(lines).toEqual([`request: ${reason}`, `response: ${reason}`]);
    },
  );

  test("schemas of OpenAPI 3.0 are read as such", async () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", nullable: true, enum: ["a"] },
        size: { type: "number", minimum: 0, exclusiveMinimum: true },
      },
    };
    const description = {
      openapi: "3.0.3",
      paths: {
        "/": { get: { responses: { 200: { content: { "application/json": { schema } } } } } },
      },
    };
    const checker = createOpenApiChecker(readDescription(JSON.stringify(description), "api.json"));
    const get = "GET http://localhost/";
    expect(await check(get, { body: { name: null, size: 1 } }, checker)).toEqual([]);
    expect(await check(get, { body: { name: "a", size: 0 } }, checker)).toHaveLength(1);
  });

  const NUMBERS = `
openapi: 3.1.0
servers: [{ url: "/{tier}/v{major}", variables: { tier: { enum: [gold, silver] }, major: { default: 2 } } }]
paths:
  /n:
    get:
      responses:
        default:
          headers:
            X-Rate: { required: true }
            X-Other: { schema: { type: string } }
            Content-Type: { required: true }
          content:
            application/json:
              schema:
                properties:
                  id: { type: integer, format: int64 }
                  small: { format: int32 }
                  most: { maximum: 9007199254740992 }
                  past: { exclusiveMinimum: 0 }
                  price: { type: number, multipleOf: 0.01 }
                  long: { const: 9007199254740993 }
                  exact: { enum: [12.123456789012345678, 1e400] }
                  password: { type: string, writeOnly: true }
                  secret: { $ref: "#/components/schemas/Secret" }
                  at: { $ref: "#/paths/~1n/get/responses/default/content/application~1json/schema/properties/when" }
                  when: { type: string, format: date-time }
                required: [password, secret, id]
components: { schemas: { Secret: { type: [string, "null"], writeOnly: true } } }
`;
  const RATE = { "X-Rate": "1" };

  test.each<[json: string, lines: readonly string[]]>([
    ['{"id": 9007199254740993, "long": 9007199254740993, "most": 9007199254740992}', []],
    ['{"id": 9223372036854775807, "price": 19.99, "exact": 12.123456789012345678}', []],
    ['{"id": 1.0, "price": 12345678901234567890.12, "exact": 10e399, "past": 1e-400}', []],
    ['{"id": 12e2, "most": -9007199254740993}', []],
    [
      '{"id": 9223372036854775808, "small": 2147483648, "most": 9007199254740993}',
      [
        '$.id: Is not of the format "int64"',
        '$.small: Is not of the format "int32"',
        "$.most: 9007199254740993 is greater than 9007199254740992",
      ],
    ],
    [
      '{"id": 1.5, "past": 0, "price": 12345678901234567890.123, "long": 9007199254740992}',
      [
        "$.id: Expected an integer, found 1.5",
        '$.id: Is not of the format "int64"',
        "$.past: 0 is not greater than 0",
        "$.price: 12345678901234567890.123 is not a multiple of 0.01",
        "$.long: Expected 9007199254740993",
      ],
    ],
    [
      '{"id": 12345678901234567890.5, "exact": 12.1234567890123456789}',
      [
        "$.id: Expected an integer, found 12345678901234567890.5",
        '$.id: Is not of the format "int64"',
        "$.exact: Expected one of 12.123456789012345678, 1e400",
      ],
    ],
    [
      '{"password": "x", "secret": null, "at": "2026-13-01T00:00:00Z"}',
      [
        "$.password: It is writeOnly, and no response has it",
        "$.secret: It is writeOnly, and no response has it",
        '$.at: Is not of the format "date-time"',
        '$: Member "id" is missing',
      ],
    ],
    ["", ["$: JSON → an empty body"]],
    ["  ", ["$: JSON → an empty body"]],
    ["{", ["$: JSON → not JSON"]],
  ])("the body %s", async (body, lines) => {
    const inYaml = createOpenApiChecker(readDescription(NUMBERS, "api.yaml"));
    expect(await check("GET http://localhost/n", { raw: body, headers: RATE }, inYaml)).toEqual(
      lines,
    );
  });

  test.each<[schema: string, missing: boolean]>([
    ["allOf: [{ $ref: '#/components/schemas/A' }, { required: [secret] }]", false],
    ["allOf: [{ $ref: '#/components/schemas/A' }], required: [secret]", false],
    [
      "required: [secret], properties: { secret: { allOf: [{ $ref: '#/components/schemas/S' }] } }",
      false,
    ],
    ["$ref: '#/components/schemas/B'", false],
    ["allOf: [{ $ref: '#/components/schemas/A' }, { required: [id] }]", true],
    ["required: [secret]", true],
  ])("a member that another schema calls writeOnly is not missing: %s", async (schema, missing) => {
    const text = `{ openapi: 3.0.0, paths: { /a: { get: { responses: { 200: { content: { application/json: { schema: { ${schema} } } } } } } } },
  components: { schemas: {
    S: { type: string, writeOnly: true },
    A: { properties: { secret: { $ref: '#/components/schemas/S' }, id: {} }, allOf: [{ $ref: '#/components/schemas/B' }] },
    B: { allOf: [{ properties: { secret: { writeOnly: true } } }], required: [secret] } } } }`;
    const checker = createOpenApiChecker(readDescription(text, "api.yaml"));
    const lines = await check("GET http://localhost/a", { body: {} }, checker);
    expect(lines).toHaveLength(missing ? 1 : 0);
  });

  test("limits keep their digits in JSON, too, and those of OpenAPI 3.0 are exclusive", async () => {
    const text = `{"openapi": "3.0.3", "paths": {"/n": {"get": {"responses": {"200": {"content":
      {"application/json": {"schema": {"maximum": 9007199254740993, "exclusiveMaximum": true, "nullable": true,
      "type": "integer", "minimum": 0, "exclusiveMinimum": true}}}}}}}}}`;
    const checker = createOpenApiChecker(readDescription(text, "api.json"));
    const lines = async (raw: string) => check("GET http://localhost/n", { raw }, checker);
    expect(await lines("9007199254740992")).toEqual([]);
    expect(await lines("null")).toEqual([]);
    expect(await lines("9007199254740993")).toEqual([
      "$: 9007199254740993 is not less than 9007199254740993",
    ]);
    expect(await lines("0")).toEqual(["$: 0 is not greater than 0"]);
  });

  test.each<[name: string, request: string, answer: Answer, lines: readonly string[]]>([
    [
      "no header that is required",
      "GET /n",
      { raw: "{}" },
      ['response: header "X-Rate" → missing'],
    ],
    ["no body after HEAD", "HEAD /head", { type: "" }, []],
    ["no body with 204", "GET /n", { status: 204, headers: RATE, type: "" }, []],
    ["no body with 304", "GET /n", { status: 304, headers: RATE, type: "" }, []],
    ["a part of a body", "GET /n", { status: 206, headers: RATE, raw: '{"id"' }, []],
    ["no body and no type", "GET /n", { headers: RATE, type: "" }, ["$: JSON → an empty body"]],
    ["an empty text", "GET /text", { type: "text/plain" }, []],
    ["an empty body of either type", "GET /text", { type: "" }, []],
    ["no JSON", "GET /text", { type: "application/json" }, ["$: JSON → an empty body"]],
    ["no body where none is promised", "GET /none", { type: "application/json" }, []],
    ["a value of a server's variable", "GET /silver/v2/none", {}, []],
    ["another value", "GET /gold/v2/none", {}, []],
    ["no value of it", "GET /bronze/v2/none", {}, ["request: no such path → GET /bronze/v2/none"]],
  ])("%s", async (_name, request, answer, lines) => {
    const others = `
  /head: { head: { responses: { 200: { content: { application/json: { schema: {} } } } } } }
  /none: { get: { responses: { default: { description: none } } } }
  /text:
    get:
      responses: { 200: { content: { text/plain: { schema: {} }, application/json: { schema: {} } } } }
components:`;
    const text = NUMBERS.replace("\ncomponents:", others).replace(/required: \[password.*/, "");
    const checker = createOpenApiChecker(readDescription(text, "api.yaml"));
    const at = request.replace(" ", " http://localhost");
    expect(await check(at, answer, checker)).toEqual(lines);
  });

  test("lists what no exchange has covered", async () => {
    const checker = createOpenApiChecker(readDescription(DESCRIPTION, "users.yaml"));
    await check(GET_USERS, { body: [] }, checker);
    await check("GET http://localhost/users/me", {}, checker);
    expect(checker.uncovered()).toEqual([
      "GET /users 4XX",
      "PUT /users",
      "POST /users",
      "GET /users/{id}",
      "GET /tree",
      "GET /circle",
    ]);
  });
});

describe("readDescription", () => {
  test.each([
    ["", "it is not an object"],
    ["[]", "it is not an object"],
    ['{"openapi": 3}', 'its "openapi" is 3; 3.0 and 3.1 are supported'],
    ["{}", 'its "openapi" is missing'],
    ['{"swagger": "2.0"}', "it is OpenAPI 2.0 (Swagger)"],
    ['{"openapi": "3.1.0"}', 'it has no object "paths"'],
    ["a: [1", "it is neither JSON nor YAML: "],
    ["a: &a [*a]", "it is neither JSON nor YAML: "],
  ])("%j: %s", (text, reason) => {
    expect(() => readDescription(text, "api.yaml")).toThrow(
      `Reading the description "api.yaml" failed: ${reason}`,
    );
  });

  test.each([
    { "/a": 3, b: {}, "/c": { get: { parameters: 3, responses: [] }, post: null } },
    { "/a": { $ref: "#/paths/~1a" }, "/b": { $ref: "other.yaml" }, "/c": { $ref: "#/%zz" } },
    { "/{a}{b}{c}/}{": { get: { servers: [{ url: 3 }, { url: "{x}" }] } } },
  ])("passes over what is not valid: %j", async (paths) => {
    const text = JSON.stringify({
      openapi: "3.1.0",
      paths,
      servers: 3,
      components: { schemas: 3 },
    });
    const checker = createOpenApiChecker(readDescription(text, "api.json"));
    expect(await check("GET http://localhost/a", {}, checker)).toHaveLength(1);
  });
});
