import { inspect } from "node:util";
import { expect, test } from "vitest";
import { parseJson } from "../../lib/json/mod.ts";
import { createClient, renderBundle, type Value } from "../../lib/mod.ts";

const BODY = '{"id":12345678901234567890,"p":0.12345678901234567890,"big":1e400}';

test("digits that a double would change are shown, stored and sent as received", async () => {
  const client = createClient({
    fetch: async () => new Response(BODY, { headers: { "Content-Type": "application/json" } }),
  });
  const exchange = await client.send("GET http://h.test/");
  const bundle = renderBundle(exchange);
  for (const form of ["text/plain", "text/html", "text/markdown"]) {
    const shown = String(bundle[form]);
    expect(shown).not.toContain("isLosslessNumber");
    for (const digits of ["12345678901234567890", "0.12345678901234567890", "1e400"]) {
      expect(shown, form).toContain(digits);
    }
  }
  expect(inspect(exchange.json)).toContain("0.12345678901234567890");
  client.setVar("it", exchange.json);
  expect(client.render("POST http://h.test/\n\n{{it.p}} {{it.id}} {{it.big}}").body).toBe(
    "0.12345678901234567890 12345678901234567890 1e400",
  );
});

test("JSON.stringify writes the nearest double of a long number, and a request all its digits", () => {
  const text =
    '{"p":0.12345678901234567890,"list":[-12345678901234567890.5,{"tiny":1e-400,"big":1e400}]}';
  const json = parseJson(text);
  expect(JSON.stringify(json)).toBe(JSON.stringify(JSON.parse(text)));
  expect(JSON.stringify({ price: parseJson("0.12345678901234567890") }, null, 1)).toBe(
    '{\n "price": 0.12345678901234568\n}',
  );
  const client = createClient();
  client.setVar("it", json as Value);
  const { body } = client.render("POST http://h.test/\n\n{{it}}");
  expect(String(body).replace(/\s/g, "")).toBe(text);
  for (const form of ["text/plain", "text/html"]) {
    expect(String(renderBundle(json)[form])).toContain("0.12345678901234567890");
  }
});
