import { describe, expect, test } from "vitest";
import { createClient, renderBundle } from "../../lib/mod.ts";
import { maskValue } from "../../lib/secrets/mod.ts";
import { explore } from "../support/explore.ts";

/** What was found to slip through once. */
describe("secrets", () => {
  test("a value that looks like a placeholder in part is masked", () => {
    const client = createClient();
    client.setVar("s", "ab{{cd}}efgh99", { secret: true });
    expect(client.secrets.mask("<ab{{cd}}efgh99>")).toBe("<{{s}}>");
  });

  test("a value in the name of a host, which a URL has in lower case, is masked", async () => {
    const client = createClient({ fetch: async () => new Response("") });
    client.setVar("hook", "Xy9-Tok3n-QrS", { secret: true });
    const exchange = await client.send("GET https://{{hook}}.h.test/");
    expect(exchange.url).toContain("xy9-tok3n-qrs");
    expect(JSON.stringify(renderBundle(exchange))).not.toMatch(/xy9-tok3n-qrs/i);
  });

  test("a parameter in a fragment is masked by its name", () => {
    const client = createClient();
    client.secrets.learn(
      { kind: "url", url: "http://h.test/cb#access_token=TOKENVALUE123&state=1" },
      "person",
    );
    expect(client.secrets.mask("http://h.test/cb#access_token=TOKENVALUE123")).not.toContain(
      "TOKENVALUE123",
    );
    expect(client.secrets.mask("it is TOKENVALUE123")).not.toContain("TOKENVALUE123");
  });

  test("a value with a scheme of authentication is masked under any name", async () => {
    const client = createClient({ fetch: async () => new Response("LongBearerValue1") });
    const text =
      "GET http://h.test/\nAuthorizaton: Bearer LongBearerValue1\nX-Mine: Basic dXNlcjpodW50ZXIyMjI=\nX-Plan: Basic plan";
    expect(client.render(text).warnings).toEqual([
      'The header name "Authorizaton" is probably misspelt. Did you mean "Authorization"?',
    ]);
    const shown = JSON.stringify(renderBundle(await client.send(text)));
    expect(shown).toContain("Basic plan");
    expect(shown).not.toMatch(/LongBearerValue1|dXNlcjpodW50|hunter222/);
    expect(client.secrets.mask("LongBearerValue1 hunter222")).not.toMatch(/Long|hunter/);
    const source = createClient();
    source.secrets.learn({ kind: "source", text }, "person");
    expect(source.secrets.mask("LongBearerValue1 hunter222")).not.toMatch(/Long|hunter/);
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

  test("an object that calls itself a number is masked like any other", () => {
    const client = createClient();
    const value = { isLosslessNumber: true, password: "Zk3-hunter2-abc" };
    client.secrets.learn({ kind: "value", value }, "server");
    expect(client.secrets.mask("Zk3-hunter2-abc")).toBe("•••");
    const named = { isLosslessNumber: true, password: "table" };
    expect(JSON.stringify(maskValue(named, createClient().secrets))).not.toContain("table");
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
    client.setVar("t", explore(client.last.json).access_token);
    const { names, leftOut } = await client.save("vars.json");
    expect(names).toEqual(["plain"]);
    expect(leftOut).toEqual(["key", "derived", "url", "t"]);
    expect(written.join()).not.toMatch(/PRIVATEKEY99|URLPASSWORD1|HANDEDOUT123/);
  });
});

describe("a token that holds what looks like a placeholder", () => {
  const TOKENS = ["ab{{cd}}efgh99", "x•••secret-1", "{{#if}}-secret-2"];

  test.each(TOKENS)("%s of an answer is masked", async (token) => {
    const client = createClient({ fetch: async () => Response.json({ access_token: token }) });
    const shown = renderBundle(await client.send("GET http://h.test/"));
    expect(JSON.stringify(shown)).not.toContain(token);
    expect(client.secrets.mask(`<${token}>`)).toBe("<•••>");
  });

  test("a placeholder that was sent as it stands is none, and neither is its echo", async () => {
    const client = createClient({
      fetch: async (input) => {
        const { headers } = new Request(input as Request);
        return Response.json({ authorization: headers.get("authorization"), token: "{{given}}" });
      },
    });
    const text = "GET http://h.test/?token={{given}}\nAuthorization: Bearer {{given}}";
    const exchange = await client.send(text, { missing: "keep" });
    expect(renderBundle(exchange)["text/plain"]).toContain("token          {{given}}");
    expect(client.secrets.mask("Bearer {{given}} ?token={{given}}")).toBe(
      "Bearer {{given}} ?token={{given}}",
    );
  });
});

test("a secret that looks escaped itself is masked in its percent-encoded form", () => {
  const client = createClient();
  const secret = "%0A+\\\\";
  client.setVar("odd", secret, { secret: true });
  expect(client.secrets.mask(`t=${encodeURIComponent(secret)}&u=1`)).toBe("t={{odd}}&u=1");
});

describe("what is learned", () => {
  test("of one body is bounded, the first are masked, and a remark tells", () => {
    const { secrets } = createClient();
    const list = Array.from({ length: 6_000 }, (_, index) => ({ token: `handed-out-${index}-x` }));
    secrets.learn(
      { kind: "body", text: () => JSON.stringify(list), mediaType: "application/json" },
      "server",
    );
    expect(secrets.mask("handed-out-0-x handed-out-4499-x")).toBe("••• •••");
    expect(secrets.takeRemarks()).toEqual([expect.stringContaining("more than 4500 secrets")]);
  });

  test("of one body has a bounded length together", () => {
    const { secrets } = createClient();
    const tokens = Array.from({ length: 300 }, (_, index) => `${index}-long-one-`.repeat(400));
    const body = JSON.stringify(tokens.map((token) => ({ token })));
    secrets.learn({ kind: "body", text: () => body, mediaType: "application/json" }, "server");
    const [first = "", last = ""] = [tokens[0], tokens.at(-1)];
    expect(secrets.mask(`${first} ${last}`)).toBe(`••• ${last}`);
    expect(secrets.takeRemarks()).toEqual([expect.stringContaining("1000000 characters")]);
  });

  test("again is not among the oldest", () => {
    const { secrets } = createClient();
    secrets.learn({ kind: "value", value: { token: "seen-first-01" } }, "person");
    for (let n = 0; n < 4_990; n++)
      secrets.learn({ kind: "value", value: { token: `learned-${n}-value` } }, "person");
    secrets.learn({ kind: "value", value: { token: "seen-first-01" } }, "person");
    for (let n = 0; n < 20; n++)
      secrets.learn({ kind: "value", value: { token: `later-${n}-value` } }, "person");
    expect(secrets.mask("seen-first-01 learned-0-value")).toBe("••• learned-0-value");
  });
});
