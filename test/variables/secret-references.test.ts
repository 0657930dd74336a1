import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  type ClientOptions,
  createClient,
  createSecretSource,
  SecretError,
  type SecretFetcher,
} from "../../lib/mod.ts";

const TOKEN = "op://Private/api/token";

/** A source that counts what it is asked for, and a client whose requests are answered by themselves. */
function open(options: ClientOptions = {}, fetch?: SecretFetcher["fetch"]) {
  const asked: string[] = [];
  const lab = createClient({
    fetch: async () => Response.json({ wanted: "op://a/b/c" }),
    secretSource: createSecretSource({
      knows: (scheme) => scheme === "corp",
      refuse: ({ path }) => (path.includes("wrong") ? "it is wrong" : undefined),
      fetch: async (reference, request) => {
        asked.push(reference.text);
        return (await fetch?.(reference, request)) ?? `secret of ${reference.path}`;
      },
    }),
    ...options,
  });
  return { lab, asked };
}

describe("references to secrets", () => {
  test("are not fetched by what only looks", async () => {
    const { lab, asked } = open();
    lab.setVar("token", TOKEN);
    expect(lab.check("GET http://lab/{{token}}")).toEqual([]);
    expect((await lab.prepare("GET http://lab/{{token}}")).faults).toEqual([]);
    expect(lab.render("GET http://lab/{{token}}", { missing: "keep" }).url).toContain("{{token}}");
    expect(() => lab.render("GET http://lab/{{token}}")).toThrow(
      "op is asked for it when a request",
    );
    expect([lab.getVar("token"), lab.hasVar("token"), [...lab.vars.keys()]]).toEqual([
      undefined,
      true,
      ["token"],
    ]);
    expect(inspect(lab.vars)).toContain("•••");
    expect(lab.namedSecrets()).toEqual([
      { name: "token", place: "setVar", reference: TOKEN, scheme: "op" },
    ]);
    expect(lab.origin("token")).toEqual({ kind: "set", scheme: "op", secret: true });
    expect(asked).toEqual([]);
  });

  test("are fetched with a request, once, and then have a value", async () => {
    const { lab, asked } = open();
    lab.setVar("token", TOKEN);
    lab.setVar("other", "corp://unused");
    const sent = await lab.sendAll(
      "@auth = Bearer {{token}}\nGET http://lab/?a={{auth}}\n###\nGET http://lab/?t={{token}}",
    );
    expect(sent.map(({ request }) => request.writtenUrl)).toEqual([
      "http://lab/?a=Bearer secret of Private/api/token",
      "http://lab/?t=secret of Private/api/token",
    ]);
    expect(asked).toEqual([TOKEN]);
    expect(lab.getVar("token")).toBe("secret of Private/api/token");
    expect(sent[0]?.toString()).not.toContain("secret of");
    expect(lab.forgetSecrets()).toBe(1);
    expect(lab.getVar("token")).toBeUndefined();
    await lab.send("GET http://lab/?t={{token}}");
    expect(asked).toEqual([TOKEN, TOKEN]);
    lab.setVar("token", "another value");
    await lab.send("GET http://lab/?t={{token}}");
    expect(asked).toHaveLength(2);
  });

  test("lines are references only where a request uses them, and never with placeholders", async () => {
    const { lab, asked } = open();
    await lab.sendAll(`@token = ${TOKEN}\n@unused = corp://team`);
    expect(asked).toEqual([]);
    await lab.send("GET http://lab/?t={{token}}");
    expect(asked).toEqual([TOKEN]);
    lab.setVar("vault", "Private");
    const text = "@token = op://{{vault}}/api/token\nGET http://lab/?t={{token}}";
    expect(lab.check(text)[0]?.message).toContain("a reference has no placeholders");
    await expect(lab.send(text)).rejects.toThrow("a reference has no placeholders");
    expect(asked).toHaveLength(1);
  });

  test("what a response contains is none", async () => {
    const cells = new Map<string, unknown>();
    const { lab, asked } = open({ cellVariables: cells });
    await lab.send("# @name first\nGET http://lab/");
    const { wanted } = lab.last.json as { readonly wanted: string };
    cells.set("cell", wanted);
    const text = "@line = {{first.response.body.wanted}}\nGET http://lab/?b={{line}}&c={{cell}}";
    expect((await lab.send(text)).request.writtenUrl).toBe("http://lab/?b=op://a/b/c&c=op://a/b/c");
    lab.setVar("set", wanted);
    expect(lab.check("GET http://lab/?a={{set}}")[0]?.message).toContain(
      "setVar sets it, but a response contains this reference",
    );
    await expect(lab.send("GET http://lab/?a={{set}}")).rejects.toThrow("not fetched");
    lab.setVar("set", wanted, { secret: false });
    expect((await lab.send("GET http://lab/?a={{set}}")).request.writtenUrl).toBe(
      "http://lab/?a=op://a/b/c",
    );
    expect(asked).toEqual([]);
    cells.set("own", "op://of/the/cell");
    await expect(lab.send("GET http://lab/?a={{own}}")).rejects.toThrow("It names a secret");
  });

  test("a failure is said with what it is about, and the next send asks again", async () => {
    let isLocked = true;
    const { lab, asked } = open({}, async () => {
      if (isLocked) throw new Error("it is locked");
      return "the secret itself";
    });
    lab.setVar("token", TOKEN);
    const failure = await lab.send("GET http://lab/?t={{token}}").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SecretError);
    expect(String(failure)).toBe(
      `SecretError: Cannot fetch the variable "token" (setVar: ${TOKEN}): it is locked`,
    );
    isLocked = false;
    expect(await lab.fetchVar("token")).toBe("the secret itself");
    expect(asked).toHaveLength(2);
  });

  test("an aborted wait is that", async () => {
    const ending = new AbortController();
    const { lab } = open(
      {},
      (_, { signal }) =>
        new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(new Error("ended"))),
        ),
    );
    lab.setVar("token", TOKEN);
    const sending = lab.send("GET http://lab/?t={{token}}", { signal: ending.signal });
    ending.abort(new Error("enough"));
    await expect(sending).rejects.toThrow("enough");
  });

  test("other faults come first, also in what is sent at once", async () => {
    const { lab, asked } = open();
    lab.setVar("token", TOKEN);
    lab.setVar("bad", "op://wrong/api/token");
    await expect(lab.send("GET http://lab/?t={{token}}&n={{nobody}}")).rejects.toThrow("nobody");
    await expect(lab.send("GET http://lab/?t={{token}}&b={{bad}}")).rejects.toThrow("it is wrong");
    expect(asked).toEqual([]);
  });

  test("are saved nowhere, and an error without a source", async () => {
    const files = new Map<string, string>();
    const { lab } = open({ writeFile: async (path, text) => void files.set(path, text) });
    lab.setVar("token", TOKEN);
    lab.setVar("page", 2);
    expect(await lab.save("vars.json")).toMatchObject({ names: ["page"], leftOut: ["token"] });
    await lab.send("GET http://lab/?t={{token}}");
    expect(await lab.save("vars.json")).toMatchObject({ names: ["page"], leftOut: ["token"] });
    expect(files.get("vars.json")).not.toContain("op://");
    const { lab: without } = open({ secretSource: undefined });
    without.setVar("token", TOKEN);
    await expect(without.send("GET http://lab/?t={{token}}")).rejects.toThrow(
      "this client has no secretSource",
    );
  });
});
