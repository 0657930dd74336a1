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
}

/** The differences of a request and its answer, as lines. */
async function check(
  text: string,
  { status = 200, type = "application/json", body }: Answer,
  checker: ReturnType<typeof createOpenApiChecker> = createOpenApiChecker(
    readDescription(DESCRIPTION, "users.yaml"),
  ),
): Promise<readonly string[]> {
  const answer = body === undefined ? null : JSON.stringify(body);
  const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
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
    [
      "a shared response",
      GET_USERS,
      { status: 404, body: {} },
      ['$: Instance does not have required property "title".'],
    ],
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
      [
        '$[1].id: Instance type "string" is invalid. Expected "integer".',
        "$[1].name: String is too short (1 < 2).",
      ],
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
      ['request $.name: Instance type "number" is invalid. Expected "string".'],
    ],
    [
      "a schema that contains itself",
      "GET http://localhost/tree",
      { body: { children: [{ children: [{ extra: 1 }] }] } },
      [
        '$.children[0].children[0]: Property "extra" does not match additional properties schema.',
        "$.children[0].children[0].extra: False boolean schema.",
      ],
    ],
    [
      "a schema that is only itself",
      "GET http://localhost/circle",
      { body: {} },
      ["$: The schema cannot be used: it refers to itself"],
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
