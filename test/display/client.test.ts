import { describe, expect, it } from "vitest";
import { createClient, type ExchangePart, jupyterDisplay } from "../../lib/mod.ts";

const USERS = [
  { id: 2, name: "Grace" },
  { id: 1, name: "Ada" },
];

function createLab() {
  const fetch = async (): Promise<Response> =>
    new Response(JSON.stringify(USERS), { headers: { "Content-Type": "application/json" } });
  return createClient({ fetch });
}

describe("client.table", () => {
  it("shows any value as a table, in the order that is asked for", () => {
    const view = createLab().table(USERS, { sort: "name" });
    expect(String(view)).toBe("id  name\n──  ─────\n 1  Ada\n 2  Grace\n2 rows");
    expect(Object.keys(view[jupyterDisplay]())).toEqual([
      "text/plain",
      "text/html",
      "text/markdown",
    ]);
  });

  it("shows the body of an exchange, and no secret", async () => {
    const lab = createLab();
    lab.setVar("who", "Grace-the-secret", { secret: true });
    const exchange = await lab.send("GET http://localhost/users");
    expect(String(lab.table(exchange))).toContain("Grace");
    expect(String(lab.table([{ name: "I am Grace-the-secret" }]))).not.toContain("the-secret");
  });

  it("is there on a client that extends another", () => {
    expect(String(createLab().extend({}).table([1]))).toContain("1 row");
  });
});

describe("client.show", () => {
  it("shows one part of an exchange", async () => {
    const lab = createLab();
    const exchange = await lab.send("GET http://localhost/users");
    expect(String(lab.show(exchange, "text"))).toBe(JSON.stringify(USERS));
    expect(lab.show(exchange, "json")[jupyterDisplay]()["application/json"]).toEqual(USERS);
    expect(() => lab.show(exchange, "cookies" as ExchangePart)).toThrow(TypeError);
  });
});
