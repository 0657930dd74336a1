import assert from "node:assert/strict";
import type { AssertionResult } from "../../../lib/mod.ts";
import type { Contract, Lab } from "./lab.ts";

/** Runs expressions that must not fail, each in a test of one cell. */
async function passing({ ok }: Pick<Lab, "ok">, expressions: readonly string[]): Promise<void> {
  const lines = expressions.map((one) => `test(${JSON.stringify(one)}, () => ${one});`);
  const { outcome } = await ok(lines.join("\n"));
  assert.equal(outcome.assertions?.length, expressions.length);
}

/** Runs expressions that must fail, each in a test of one cell, and gives their results. */
async function failing(
  { run }: Pick<Lab, "run">,
  expressions: readonly string[],
): Promise<readonly AssertionResult[]> {
  const lines = expressions.map((one) => `test(${JSON.stringify(one)}, () => ${one});`);
  const { outcome } = await run(lines.join("\n"));
  const results = outcome.assertions ?? [];
  assert.deepEqual(
    results.filter(({ passed }) => passed).map(({ name }) => name),
    [],
  );
  assert.equal(results.length, expressions.length);
  return results;
}

export const matchers: Contract = {
  "responses have matchers": async (lab) => {
    await lab.ok(`GET ${lab.base}/users?secret=1`);
    await passing(lab, [
      "expect(client.last).toHaveStatus(200)",
      'expect(client.last).toHaveStatus("2xx")',
      "expect(client.last).not.toHaveStatus(404)",
      'expect(client.last).not.toHaveStatus("4xx")',
      'expect(client.last).toHaveStatus("success")',
      "expect(client.last).toBeSuccessful()",
      'expect(client.last).toHaveJson({ method: "GET", path: expect.any(String) })',
      'expect(client.last).toPass("?? status == 200\\n?? body method == GET")',
      'expect(client.last).not.toPass("?? status == 404")',
      'expect(client.last).toHaveHeader("CONTENT-type")',
      'expect(client.last).toHaveHeader("content-type", "application/json")',
      'expect(client.last).toHaveHeader("content-type", /^APPLICATION/gi)',
      'expect(client.last).not.toHaveHeader("x-nothing")',
      'expect(client.last).not.toHaveHeader("content-type", "text/html")',
      "expect(client.last).toRespondWithin(60_000)",
      "expect(client.last).not.toRespondWithin(0.001)",
      'expect(client.last).toMatchSchema({ type: "object", required: ["path"] })',
      'expect(client.last).not.toMatchSchema({ type: "array" })',
      `expect(client.send("GET ${lab.base}/")).resolves.toHaveStatus(200)`,
      "expect([client.last]).toEqual([expect.toHaveStatus(200)])",
    ]);
    const results = await failing(lab, [
      "expect(client.last).toHaveStatus(404)",
      'expect(client.last).not.toHaveStatus("2xx")',
      "expect(client.last).not.toBeSuccessful()",
      'expect(client.last).toHaveHeader("X-Nothing", "a")',
      'expect(client.last).toHaveHeader("content-type", /html/)',
      "expect(client.last).toRespondWithin(0.001)",
      'expect(client.last).toHaveJson({ method: "PUT" })',
      'expect(client.last).toPass("?? status == 404")',
    ]);
    assert.deepEqual(
      results.slice(0, 5).map(({ expected, actual }) => [expected, actual]),
      [
        ["status 404", "200 OK"],
        ["not status 2xx", "200 OK"],
        ["not a successful status", "200 OK"],
        ["header X-Nothing: a", "no such header"],
        ["header content-type: /html/", "application/json"],
      ],
    );
    assert.deepEqual(
      results.slice(6).map(({ expected, actual, path }) => [expected, actual, path]),
      [
        ["PUT", "GET", "$.method"],
        ["404", "200", undefined],
      ],
    );
    const { message } = await lab.fail("expect(client.last).toHaveStatus(404)");
    assert.match(message, /^Expected status 404, found 200 OK \(GET http:.*\)$/);
    assert.equal(results[0]?.message, undefined);
    assert.match(results[5]?.actual ?? "", /^[\d.]+ ms$/);
  },
  "bad values for the matchers of responses are errors": async (lab) => {
    await lab.ok(`GET ${lab.base}/`);
    const results = await failing(lab, [
      "expect(client.last).toHaveStatus(20)",
      'expect(client.last).not.toHaveStatus("2x" as any)',
      "expect(undefined).toHaveStatus(200)",
      `expect(client.send("GET ${lab.base}/")).toHaveStatus(200)`,
      "expect(3).not.toBeSuccessful()",
      'expect(client.last).not.toHaveHeader("a b")',
      'expect(client.last).toHaveHeader("a", 3 as any)',
      "expect(client.last).toRespondWithin(-1)",
    ]);
    const messages = results.map(({ message }) => message ?? "");
    for (const [at, pattern] of [
      /toHaveStatus failed: 20 is neither a status code/,
      /"2x" is neither/,
      /the value is undefined, not a response; client\.last is undefined until/,
      /is a promise: await the response/,
      /toBeSuccessful failed: the value is not a response/,
      /"a b" is not the name of a header/,
      /neither a string nor a regular expression/,
      /-1 is not a number of milliseconds above 0/,
    ].entries()) {
      assert.match(messages[at] ?? "", pattern);
    }
  },
  "a value is checked by a JSON Schema of any draft": async (lab) => {
    await lab.ok(`const item = { id: 7, tags: ["a", 2], at: new Date(0), big: 12345678901234567890n };
const draft = (name: string) => \`http://json-schema.org/\${name}/schema#\`;`);
    await passing(lab, [
      'expect(item).toMatchSchema({ properties: { id: { type: "integer" }, big: { type: "number" } } })',
      'expect(item).toMatchSchema({ $schema: draft("draft-04"), properties: { id: { minimum: 6, exclusiveMinimum: true } } })',
      'expect(item).toMatchSchema({ $schema: draft("draft-07"), definitions: { n: { const: 7 } }, properties: { id: { $ref: "#/definitions/n" } } })',
      'expect(item).toMatchSchema({ $schema: "https://json-schema.org/draft/2019-09/schema", dependentRequired: { id: ["tags"] } })',
      'expect(item).toMatchSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", properties: { tags: { prefixItems: [{ type: "string" }, { type: "number" }], items: false } } })',
      'expect(item).toMatchSchema(Object.freeze({ properties: Object.freeze({ at: { format: "date-time" } }) }))',
      "expect(item).toMatchSchema(true)",
      "expect(item).not.toMatchSchema(false)",
    ]);
    const [tags, missing, nested] = await failing(lab, [
      'expect(item).toMatchSchema({ properties: { tags: { items: { type: "string" } } } })',
      'expect(item).toMatchSchema({ required: ["name"] })',
      'expect({ "a b": [item] }).toMatchSchema({ additionalProperties: { items: { properties: { id: { maximum: 5 } } } } })',
    ]);
    assert.deepEqual([tags?.path, tags?.actual], ["$.tags[1]", "2"]);
    assert.match(
      tags?.message ?? "",
      /does not match the schema at \$\.tags\[1\]: Expected a string, found an integer/,
    );
    assert.match(missing?.message ?? "", /"name"/);
    assert.deepEqual([nested?.path, nested?.actual], ['$["a b"][0].id', "7"]);
  },
  "a failure that is caught and shown has the frames of the cell alone": async (lab) => {
    for (const call of ["expect(1).toBe(2)", "expect(1).toMatchSchema({ type: 'string' })"]) {
      const code = `(() => { try { ${call} } catch (error) { return error; } })()`;
      const { outcome } = await lab.ok(code);
      assert.ok(outcome.status === "ok");
      const shown = outcome.result?.bundle();
      assert.match(String(shown?.["text/plain"]), /^AssertionError: .*\n {4}at [^/]*cell \d+:1:/);
    }
  },
  "a broken schema is an error, negated or not": async (lab) => {
    const results = await failing(
      lab,
      [
        'expect(1).not.toMatchSchema({ type: "strin" })',
        'expect({}).toMatchSchema({ properties: { id: "string" } })',
        'expect({}).not.toMatchSchema({ $ref: "#/definitions/nothing" })',
        'expect("a").toMatchSchema({ allOf: [{ pattern: "(" }] })',
        'expect(1).toMatchSchema({ $schema: "http://json-schema.org/draft-03/schema#" })',
        "expect(1).toMatchSchema(null)",
        'expect(1).toMatchSchema({ $ref: "#" })',
        "const schema: any = {}; schema.not = schema; expect(1).toMatchSchema(schema)",
        "expect(undefined).toMatchSchema({})",
        'expect(1).toMatchSchema({ required: "id" })',
      ].map((one) => (one.startsWith("const ") ? `{ ${one} }` : one)),
    );
    const messages = results.map(({ message }) => message ?? "");
    for (const [at, pattern] of [
      /at #\/type is "strin": Expected one of "null", "boolean"/,
      /at #\/properties\/id is "string": Expected an object or a boolean, found a string/,
      /the "\$ref" "#\/definitions\/nothing" does not exist in it/,
      /at #\/allOf\/0\/pattern is "\(": Is not of the format "regex"/,
      /draft-03.* is not supported/,
      /neither a JSON Schema/,
      /refers to itself without end/,
      /it is not JSON/,
      /the value is not JSON/,
      /at #\/required is "id": Expected an array or a boolean, found a string/,
    ].entries()) {
      assert.match(messages[at] ?? "", pattern);
    }
  },
  "a value is checked by a Standard Schema, also an asynchronous one": async (lab) => {
    const schema = (isAsync: boolean): string => `{
  "~standard": { version: 1, vendor: "x", validate: ${isAsync ? "async " : ""}(value) => value.id === 7
    ? { value }
    : { issues: [{ message: "is not seven", path: [{ key: "id" }] }] } },
}`;
    await lab.ok(
      `const now = ${schema(false)};\nconst later = Object.assign(() => 0, ${schema(true)});`,
    );
    await passing(lab, [
      "expect({ id: 7 }).toMatchSchema(now)",
      "expect({ id: 8 }).not.toMatchSchema(now)",
      "expect({ id: 7 }).toMatchSchema(later)",
      "expect({ id: 8 }).not.toMatchSchema(later)",
    ]);
    const results = await failing(lab, [
      "expect({ id: 8 }).toMatchSchema(now)",
      "expect({ id: 8 }).toMatchSchema(later)",
      "expect({ id: 7 }).not.toMatchSchema(later)",
    ]);
    assert.deepEqual(
      results.map(({ path, actual }) => [path, actual]),
      [
        ["$.id", "8"],
        ["$.id", "8"],
        [undefined, undefined],
      ],
    );
    assert.match(results[2]?.message ?? "", /^Expected the value not to match the schema$/);
    const unawaited = await lab.run("1;\nexpect({ id: 8 }).toMatchSchema(later);\n2");
    assert.equal(unawaited.outcome.assertions?.[0]?.location.line, 2);
    const { message, name } = await lab.fail("await expect({ id: 8 }).toMatchSchema(later)");
    assert.equal(name, "AssertionError");
    assert.match(message, /at \$\.id: is not seven/);
  },
  "credentials in headers are hidden": async (lab) => {
    const { run, base } = lab;
    await lab.ok(`GET ${base}/`);
    const code = 'expect(client.last).toHaveHeader("Set-Cookie", "session=qwertzuiop")';
    const { outcome, bundles } = await run(code.replace('"session=', '"session=" + "'));
    assert.ok(outcome.status === "error");
    const shown = JSON.stringify([bundles(), outcome.error.message]);
    assert.match(shown, /header Set-Cookie: session=•••/);
  },
  "response handlers have expect and test": async ({ base, run }) => {
    const { outcome } = await run(`GET ${base}/x

> {%
  test("status", () => expect(response.status).toBe(404));
  client.test("body", () => expect(response.body).toMatchObject({ path: "/y" }));
%}`);
    assert.deepEqual(
      outcome.assertions?.map((one) => [one.name, one.expected, one.actual, one.path]),
      [
        ["status", "404", "200", undefined],
        ["body", "/y", "/x", "$.path"],
      ],
    );
  },
};
