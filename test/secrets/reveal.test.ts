import { describe, expect, test } from "vitest";
import { createClient, isExchange, isRevealed, renderBundle } from "../../lib/mod.ts";

const TOKEN = "Handed-Out-Tok-1";
const NOTE = "This output contains secrets";

function openClient(): ReturnType<typeof createClient> {
  return createClient({ fetch: async () => Response.json({ access_token: TOKEN }) });
}

/** Every form of a value, as a front end with this client makes them. */
function formsOf(value: unknown, { secrets }: ReturnType<typeof createClient>): [string, string][] {
  const bundle = renderBundle(value, { secrets: [secrets] });
  return Object.entries(bundle).map(([type, content]) => [
    type,
    typeof content === "string" ? content : JSON.stringify(content),
  ]);
}

describe("{ reveal: true }", () => {
  const TEXT = "GET http://h.test/\nAuthorization: Bearer Sent-Bearer-22";
  const client = openClient();

  test.each([
    ["send of a text", () => client.send(TEXT, { reveal: true })],
    ["send of a spec", () => client.send({ url: "http://h.test/" }, { reveal: true })],
    ["sendAll", () => client.sendAll(`${TEXT}\n\n###\n${TEXT}`, { reveal: true })],
    ["one of sendAll", async () => (await client.sendAll(TEXT, { reveal: true }))[0]],
    ["show", async () => client.show(await client.send(TEXT), "json", { reveal: true })],
    ["reveal of a view", async () => client.reveal(client.show(await client.send(TEXT), "text"))],
    ["reveal", async () => client.reveal(await client.send(TEXT))],
  ])("of %s shows what was masked, and every form says so", async (_, make) => {
    const value = await make();
    expect(isRevealed(value)).toBe(true);
    const forms = formsOf(value, client);
    expect(forms.map(([type]) => type)).toEqual(["text/plain", "text/html", "text/markdown"]);
    for (const [, text] of forms) {
      expect(text).toContain(TOKEN);
      expect(text).toContain(NOTE);
      expect(text.split(NOTE)).toHaveLength(2);
    }
  });

  test("shows the headers that were sent as well", async () => {
    const shown = formsOf(await client.send(TEXT, { reveal: true }), client);
    for (const [, text] of shown) expect(text).toContain("Bearer Sent-Bearer-22");
  });

  test("gives an exchange like any other, and last and history are shown masked", async () => {
    const exchange = await client.send(TEXT, { reveal: true });
    expect(isExchange(exchange)).toBe(true);
    expect(exchange.json).toEqual({ access_token: TOKEN });
    expect([exchange.status, exchange.warnings, exchange.mediaType]).toEqual([
      200,
      [],
      "application/json",
    ]);
    for (const value of [client.last, client.history, [exchange], { exchange }]) {
      for (const [, text] of formsOf(value, client)) {
        expect(text).not.toContain(TOKEN);
        expect(text).not.toContain(NOTE);
      }
    }
  });

  test("of a part leaves the same part masked without it", async () => {
    const exchange = await client.send(TEXT);
    for (const [, text] of formsOf(client.show(exchange, "body"), client)) {
      expect(text).not.toContain(TOKEN);
    }
    expect(String(client.show(exchange, "body", { reveal: true }))).toContain(NOTE);
  });

  test("false is as if it were left out", async () => {
    const exchange = await client.send(TEXT, { reveal: false });
    expect(isRevealed(exchange)).toBe(false);
    for (const [, text] of formsOf(exchange, client)) expect(text).not.toContain(TOKEN);
  });
});
