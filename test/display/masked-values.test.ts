import { expect, test } from "vitest";
import { createClient, renderBundle } from "../../lib/mod.ts";

const text = (value: unknown, client = createClient()): string =>
  JSON.stringify(renderBundle(value, { secrets: [client.secrets] }));

test("a table hides what its rows hide", () => {
  const client = createClient();
  const shown = text(client.table([{ user: "ada", password: "hunter2x9" }]), client);
  expect(shown).toContain("ada");
  expect(shown).not.toContain("hunter2x9");
});

test("the bytes of a secret are shown in no kind of buffer", () => {
  const client = createClient();
  client.setVar("token", "hushhush-1234", { secret: true });
  const { buffer } = Uint8Array.from(new TextEncoder().encode("x hushhush-1234"));
  for (const value of [buffer, new Uint8Array(buffer), new DataView(buffer)]) {
    expect(text(value, client)).toContain("of 15 bytes: •••");
  }
});

test("a request's type does not decide how the same text is masked in its response", async () => {
  const body = '{"password":"wordy"}';
  const client = createClient({
    fetch: async () => new Response(body, { headers: { "Content-Type": "application/json" } }),
  });
  const exchange = await client.send({
    method: "POST",
    url: "http://a.test/",
    headers: { "Content-Type": "application/sql" },
    body,
  });
  // The source of the response, below its view.
  expect(text(exchange, client)).toContain("password");
  expect(text(exchange, client)).not.toMatch(/var\(--string\)[^>]*>&quot;wordy/);
});
