import { describe, expect, test } from "vitest";
import { createClient, renderBundle } from "../../lib/mod.ts";

const URL_OF = "GET http://localhost/";

/** A client, and the variables of its cells. */
function clientWithCells(values: Readonly<Record<string, unknown>>) {
  const cells = new Map(Object.entries(values));
  return { client: createClient({ cellVariables: cells }), cells };
}

describe("variables of TypeScript cells", () => {
  test("fill placeholders by the rules of rendering, with their values at that moment", () => {
    const { client, cells } = clientWithCells({ y: 3, user: { tags: ["a"] }, none: null });
    expect(client.render(`${URL_OF}{{y}}/{{user.tags[0]}}/{{none}}`).url).toMatch(/3\/a\/null$/);
    cells.set("y", new Date(0));
    expect(client.render(`${URL_OF}{{y}}`).url).toBe("http://localhost/1970-01-01T00:00:00.000Z");
    expect(client.render(`POST http://localhost/\n\n{"a": {{user}}}`).body).toContain('"tags"');
  });

  test("come after variables that were set", () => {
    const { client } = clientWithCells({ y: 3, z: 4 });
    client.setVar("y", "set");
    expect(client.render(`${URL_OF}{{y}}/{{z}}`).url).toBe("http://localhost/set/4");
    expect([client.origin("y")?.kind, client.origin("z")?.kind]).toEqual(["set", "typescript"]);
    client.setVar("z", null);
    expect([client.getVar("z"), client.origin("z")?.kind]).toEqual([null, "set"]);
    client.deleteVar("y");
    expect([client.getVar("y"), client.hasVar("y")]).toEqual([3, true]);
  });

  test("are in client.vars, which marks them when it is shown", () => {
    const { client } = clientWithCells({ y: 3, run: () => 1, "not a name": 1, gone: undefined });
    client.setVar("base", "http://localhost");
    expect([...client.vars.keys()]).toEqual(["base", "y"]);
    expect([client.vars.size, client.vars.get("y"), client.vars.has("run")]).toEqual([2, 3, false]);
    const text = String(renderBundle(client.vars)["text/plain"]);
    expect(text).toContain("y (TypeScript)");
    expect(text).not.toContain("base (TypeScript)");
  });

  test("are masked by the rules of names", () => {
    const { client } = clientWithCells({ apiToken: "long-secret-4711", plain: "visible-4711" });
    client.render(`${URL_OF}{{apiToken}}`);
    expect(client.secrets.mask("long-secret-4711 visible-4711")).toBe("{{apiToken}} visible-4711");
    expect(client.origin("apiToken")).toEqual({ kind: "typescript", secret: true });
    expect(JSON.stringify(renderBundle(client.vars))).not.toContain("long-secret");
  });

  class Point {}
  test.each([
    ["f", () => 1, /"f" is a function of a TypeScript cell.*has no text form/],
    ["Point", Point, /"Point" is a class of a TypeScript cell/],
    ["later", Promise.resolve(1), /"later" is a variable of a TypeScript cell.*await it first/],
    ["missing", Number.NaN, /is NaN/],
  ])("%s says why it cannot be used", (name, value, message) => {
    const { client } = clientWithCells({ [name]: value });
    expect(() => client.render(`${URL_OF}{{${name}}}`)).toThrow(message);
    const [fault] = client.check(`${URL_OF}{{${name}}}`);
    expect([fault?.code, fault?.message]).toEqual(["name", expect.stringMatching(message)]);
  });

  test("are suggested for a name that is misspelt, and found by a check", () => {
    const { client } = clientWithCells({ pageSize: 3 });
    expect(client.check(`${URL_OF}{{pageSize}}`)).toEqual([]);
    expect(client.check(`${URL_OF}{{pageSise}}`)[0]?.hint).toBe('Did you mean "pageSize"?');
  });
});
