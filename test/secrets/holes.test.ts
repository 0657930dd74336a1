import { describe, expect, test } from "vitest";
import { createClient, renderBundle } from "../../lib/mod.ts";

/** What was found to slip through once. */
describe("secrets", () => {
  test("a value that looks like a placeholder in part is masked", () => {
    const client = createClient();
    client.setVar("s", "ab{{cd}}efgh99", { secret: true });
    expect(client.secrets.mask("<ab{{cd}}efgh99>")).toBe("<{{s}}>");
  });

  test("a parameter in a fragment is masked by its name", () => {
    const client = createClient();
    client.secrets.learnUrl("http://h.test/cb#access_token=TOKENVALUE123&state=1");
    expect(client.secrets.mask("http://h.test/cb#access_token=TOKENVALUE123")).not.toContain(
      "TOKENVALUE123",
    );
    expect(client.secrets.mask("it is TOKENVALUE123")).not.toContain("TOKENVALUE123");
  });

  test("lists and objects below a secret name of an unnamed answer are masked", async () => {
    const body = {
      tokens: ["FIRSTVALUE11", "SECONDVALUE22"],
      credentials: { alpha: "THIRDVALUE33" },
    };
    const client = createClient({ fetch: async () => Response.json(body) });
    const shown = JSON.stringify(renderBundle(await client.send("GET http://h.test/")));
    expect(shown).not.toMatch(/FIRSTVALUE11|SECONDVALUE22|THIRDVALUE33/);
  });

  test("save writes no variable whose value holds a secret", async () => {
    const written: string[] = [];
    const client = createClient({
      writeFile: async (_path, text) => void written.push(text),
      fetch: async () => Response.json({ access_token: "HANDEDOUT123" }),
    });
    client.setVar("key", "PRIVATEKEY99", { secret: true });
    client.setVar("derived", "PRIVATEKEY99-suffix");
    client.setVar("url", "http://bob:URLPASSWORD1@h.test/");
    client.setVar("plain", 7);
    await client.send("GET http://h.test/token");
    client.setVar("t", client.last.json.access_token);
    const { names, secrets } = await client.save("vars.json");
    expect(names).toEqual(["plain"]);
    expect(secrets).toEqual(["key", "derived", "url", "t"]);
    expect(written.join()).not.toMatch(/PRIVATEKEY99|URLPASSWORD1|HANDEDOUT123/);
  });
});
