import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createClient, jupyterDisplay, renderBundle } from "../../lib/mod.ts";

describe("setVar", () => {
  test("stores a copy: later changes of the object have no effect", () => {
    const client = createClient();
    const user = { name: "Ada", tags: ["a"] };
    client.setVar("user", user);
    user.tags.push("b");
    expect(client.getVar("user")).toEqual({ name: "Ada", tags: ["a"] });
  });

  test.each(["", "1a", "a b", "a.b", "$now", "{{a}}", "-a", "a\n"])(
    "refuses the name %j",
    (name) => {
      expect(() => createClient().setVar(name, 1)).toThrow(TypeError);
      expect(() => createClient().setVar(name, 1)).toThrow(
        `Cannot set the variable ${JSON.stringify(name)}: no placeholder could name it`,
      );
    },
  );

  test.each(["a", "_", "größe", "имя", "user-id", "a1"])("takes the name %s", (name) => {
    const client = createClient();
    client.setVar(name, "x");
    expect(client.render(`GET http://localhost/{{${name}}}`).url).toBe("http://localhost/x");
  });

  test("refuses a value that cannot be rendered, and keeps the old one", () => {
    const client = createClient();
    client.setVar("user", { name: "Ada" });
    expect(() => client.setVar("user", { tags: [1, Number.NaN] })).toThrow(/user\.tags\[1\]/);
    expect(() => client.setVar("user", undefined)).toThrow(TypeError);
    expect(client.getVar("user")).toEqual({ name: "Ada" });
  });
});

describe("getVar, hasVar, deleteVar, clearVars", () => {
  test("getVar gives a copy: changing it does not change the variable", () => {
    const client = createClient();
    client.setVar("list", [{ at: new Date(0) }]);
    client.getVar<{ at: Date }[]>("list")?.[0]?.at.setFullYear(2000);
    client.getVar<unknown[]>("list")?.push(1);
    expect(client.getVar("list")).toEqual([{ at: new Date(0) }]);
  });

  test("an unknown name is undefined, also one that every object has", () => {
    const client = createClient();
    expect(client.getVar("constructor")).toBeUndefined();
    expect(client.hasVar("toString")).toBe(false);
    expect(client.deleteVar("toString")).toBe(false);
  });

  test("deleteVar removes one, clearVars all", () => {
    const client = createClient();
    client.setVar("a", null);
    client.setVar("b", false);
    expect(client.hasVar("a")).toBe(true);
    expect(client.deleteVar("a")).toBe(true);
    expect([...client.vars]).toEqual([["b", false]]);
    client.clearVars();
    expect(client.vars.size).toBe(0);
  });
});

describe("vars", () => {
  test("is a live view with copies of values", () => {
    const client = createClient();
    const { vars } = client;
    client.setVar("a", { n: 1 });
    client.setVar("b", "x");
    expect([...vars]).toEqual([
      ["a", { n: 1 }],
      ["b", "x"],
    ]);
    expect([...vars.keys()]).toEqual(["a", "b"]);
    expect([...vars.values()]).toEqual([{ n: 1 }, "x"]);
    for (const [, value] of vars)
      if (typeof value === "object") Object.assign(value as object, { n: 2 });
    expect(vars.get("a")).toEqual({ n: 1 });
    const seen: unknown[] = [];
    vars.forEach((value, name) => void seen.push(name, value));
    expect(seen).toEqual(["a", { n: 1 }, "b", "x"]);
  });

  test("is read-only", () => {
    const client = createClient();
    client.setVar("a", 1);
    expect(Object.isFrozen(client.vars)).toBe(true);
    expect("set" in client.vars).toBe(false);
    expect("delete" in client.vars).toBe(false);
  });
});

describe("render", () => {
  test("sends nothing and sets nothing, but knows the assignments of its text", () => {
    const client = createClient();
    const text = "@base = http://localhost:1\nGET {{base}}/a\n\n###\nGET {{base}}/b";
    expect(client.render(text).url).toBe("http://localhost:1/b");
    expect(client.renderAll(text).map(({ url }) => url)).toEqual([
      "http://localhost:1/a",
      "http://localhost:1/b",
    ]);
    expect(client.hasVar("base")).toBe(false);
    expect(client.history).toEqual([]);
  });

  test("shows the headers of the client as added", () => {
    const client = createClient({ headers: { "X-Team": "lab", Accept: "text/plain" } });
    const { headers, added } = client.render("GET http://localhost/\naccept: text/csv");
    expect(headers).toEqual([
      ["accept", "text/csv"],
      ["X-Team", "lab"],
    ]);
    expect(added).toEqual(["X-Team"]);
  });

  test("keeps placeholders without a value if asked to", () => {
    const client = createClient();
    const text = "GET http://localhost/{{nope}}";
    expect(() => client.render(text)).toThrow(/nope/);
    expect(client.render(text, { missing: "keep" }).url).toBe(text.slice(4));
  });

  test("refuses a text without a request", () => {
    expect(() => createClient().render("@a = 1")).toThrow(
      /Cannot render the text: it contains no request/,
    );
  });

  test("an assignment keeps the digits of its number", () => {
    const client = createClient();
    const { url } = client.render("@id = 9007199254740993\nGET http://localhost/{{id}}");
    expect(url).toBe("http://localhost/9007199254740993");
  });
});

describe("secret variables", () => {
  test("are masked, each string of an object separately", () => {
    const client = createClient();
    client.setVar("plain", "nothing");
    client.setVar(
      "login",
      { user: "ada", password: "pass-word-1", pin: 123456789, on: true },
      { secret: true },
    );
    const text = "pass-word-1 123456789 ada true";
    expect(client.secrets.mask(text)).toBe("{{login.password}} {{login.pin}} ada true");
    expect(client.secrets.takeRemarks()).toEqual([expect.stringContaining("{{login.user}}")]);
  });

  test("stay secret with a new value, until they are declared public or deleted", () => {
    const client = createClient();
    client.setVar("token", "first-1", { secret: true });
    client.setVar("token", "second-2");
    const { mask } = client.secrets;
    expect(mask("first-1 second-2")).toBe("••• {{token}}");
    client.setVar("token", "third-3", { secret: false });
    expect(mask("third-3")).toBe("third-3");
    client.setVar("token", "fourth-4", { secret: true });
    client.deleteVar("token");
    // What was sent with it may still be looked at.
    expect(mask("fourth-4")).toBe("•••");
  });

  test("are refused if they cannot be masked safely, and keep the old value", () => {
    const client = createClient();
    client.setVar("pin", "48151623", { secret: true });
    expect(() => client.setVar("pin", "1")).toThrow(/Cannot keep the variable "pin" secret/);
    expect(() => client.setVar("pin", "true")).toThrow(TypeError);
    expect(client.getVar("pin")).toBe("48151623");
  });

  test("are not masked for programs", () => {
    const client = createClient();
    client.setVar("auth", { apiKey: "abcdef-123" });
    expect(client.getVar<{ apiKey: string }>("auth")?.apiKey).toBe("abcdef-123");
    expect(client.render("GET http://h/{{auth.apiKey}}").url).toBe("http://h/abcdef-123");
  });
});

describe("display", () => {
  test("vars are displayed with their names and without secrets", () => {
    const client = createClient();
    client.setVar("base", "http://localhost");
    client.setVar("token", "s3cret", { secret: true });
    for (const text of [inspect(client.vars), renderBundle(client.vars)["text/plain"]]) {
      expect(text).toContain("http://localhost");
      expect(text).toContain("token");
      expect(text).not.toContain("s3cret");
    }
  });

  test("a client is displayed as a summary in one line", () => {
    const client = createClient();
    client.setVar("a", 1);
    const text = `restlab ${client.version}: 1 variable, 0 exchanges kept, 0 in flight`;
    expect(String(client)).toBe(text);
    expect(inspect(client)).toBe(text);
    expect(client[jupyterDisplay]()).toEqual({ "text/plain": text });
    expect(renderBundle(client)["text/plain"]).toBe(text);
  });
});
