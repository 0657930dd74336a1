import { expect, test } from "vitest";
import { createClient, readText } from "../../lib/mod.ts";
import { importTexts, json } from "./fixture.ts";

const BODY = json({
  id: 7,
  name: "Ada",
  tags: ["a", "b"],
  empty: "",
  none: null,
  nested: { on: true, list: [] },
});

/** Statements of tests that hold for the response above, and the assertions that they become. */
const HOLD: readonly (readonly [statement: string, ...assertions: string[]])[] = [
  ["pm.response.to.have.status(200)", "status == 200"],
  ["pm.response.to.not.have.status(500)", "status != 500"],
  ["pm.response.to.be.ok", "status >= 200", "status < 300"],
  ["pm.response.to.not.be.error", "status < 400"],
  ["pm.response.to.be.json", "header content-type contains json"],
  ["pm.response.to.have.header('Content-Type')", "header Content-Type isDefined"],
  ["pm.expect(pm.response.text()).to.include('Ada')", "body contains Ada"],
  ["var jsonData = pm.response.json(); pm.expect(jsonData.id).to.eql(7)", "body $.id == 7"],
  [
    "const { id, name: who } = pm.response.json(); pm.expect(who).equal('Ada')",
    "body $.name == Ada",
  ],
  ["pm.expect(pm.response.json().tags.length).to.be.above(1)", "body tags.length > 1"],
  ["pm.expect(pm.response.json().tags).to.have.lengthOf(2)", "body tags.length == 2"],
  ["pm.expect(pm.response.json()).to.have.property('id', 7)", "body $.id == 7"],
  ["pm.expect(pm.response.json()).to.have.property('empty', '')", "body $.empty isEmpty"],
  ["pm.expect(pm.response.json().nested).to.have.property('on')", "body $.nested.on isDefined"],
  ["pm.expect(pm.response.json().nested.on).to.be.true", "body $.nested.on == true"],
  ["pm.expect(pm.response.json().none).to.be.null", "body $.none isNull"],
  ["pm.expect(pm.response.json().tags).to.be.an('array')", "body $.tags isArray"],
  ['pm.expect(pm.response.json().tags).to.eql(["a", "b"])', 'body $.tags == ["a","b"]'],
  ["pm.expect(pm.response.code).to.be.oneOf([200, 201])", "status in 200, 201"],
];

/** What was written before `pm`, one condition for each test. */
const CONDITIONS: readonly (readonly [condition: string, assertion: string])[] = [
  ["(responseCode.code === 200)", "status == 200"],
  ["responseBody.has('Ada')", "body contains Ada"],
  ["'on' in JSON.parse(responseBody).nested", "body $.nested.on isDefined"],
];

const linesOf = (
  exec: string,
): { readonly document: string; readonly lines: readonly string[] } => {
  const event = [{ listen: "test", script: { exec } }];
  const item = [{ name: "a", event, request: { url: "http://a.test" } }];
  const { document } = importTexts([json({ info: { name: "Shop" }, item })]);
  return { document, lines: [...document.matchAll(/^\?\? (.*)$/gm)].map(([, line = ""]) => line) };
};

test.each([
  ...HOLD.map(([code, ...lines]) => [`pm.test("x", function () { ${code}; });`, lines] as const),
  ...CONDITIONS.map(([code, line]) => [`tests["x"] = ${code};`, [line]] as const),
])("%s", async (script, expected) => {
  const { document, lines } = linesOf(script);
  expect(lines).toEqual(expected);
  expect(document).not.toContain("Not converted");
  const client = createClient({
    fetch: async () => new Response(BODY, { headers: { "Content-Type": "application/json" } }),
  });
  // It throws if an assertion fails.
  await client.sendAll(document);
});

test.each([
  "pm.expect(pm.response.json().id).to.satisfy((id) => id > 1)",
  "pm.expect(pm.response.json().tags).to.have.members(['a'])",
  "pm.response.to.have.status('OK')",
  "if (pm.response.code === 200) pm.expect(1).to.eql(1)",
])("%s stays as a comment", (statement) => {
  const { document, lines } = linesOf(`pm.test("x", () => { ${statement}; });`);
  expect(lines).toEqual([]);
  expect(document).toContain("Not converted");
  expect(readText(document).failure).toBeUndefined();
});
