import { describe, expect, test } from "vitest";
import { createClient, NoResponseError, renderBundle } from "../../lib/mod.ts";

const TOKEN = "Arriving-T0ken-1";

/** An answer whose pieces come one by one. */
function answerOf(type: string, pieces: readonly string[], headers = {}): typeof fetch {
  const encoder = new TextEncoder();
  return async () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          for (const piece of pieces) {
            controller.enqueue(encoder.encode(piece));
            await new Promise((done) => setTimeout(done, 1));
          }
          controller.close();
        },
      }),
      { headers: { "Content-Type": type, ...headers } },
    );
}

describe("what an answer hands out is masked while it comes", () => {
  test.each([
    ["text/event-stream", ['data: {"tok', `en": "${TOKEN}"}\n`, "\ndata: 2\n\n"]],
    ["application/x-ndjson", [`{"token": "${TOKEN}"`, "}\n", '{"a": 1}\n']],
    ["application/json", ['{"a": 1, "token": ', `"${TOKEN}", `, '"b": 2}']],
    ["text/plain", [`api_token=${TOKEN}`, "&x=1"]],
    ["application/xml", [`<token>${TOKEN}`, "</token>"]],
  ])("%s in a loop", async (type, pieces) => {
    const client = createClient({ fetch: answerOf(type, pieces) });
    const masked: string[] = [];
    for await (const piece of client.stream("GET http://h.test/")) {
      masked.push(client.secrets.mask(JSON.stringify(piece)));
    }
    expect(masked.join()).toContain("•••");
    expect(masked.join()).not.toContain(TOKEN);
  });

  const PAD = "x".repeat(50_000);
  test.each([
    ["application/json", [`{"a": "${PAD}", "b": "${PAD}", "tok`, `en": "${TOKEN}", "c": 1}`]],
    ["text/html", [`<p>${PAD}</p>`, `<p>${PAD}</p><input name="password"`, ` value="${TOKEN}">`]],
  ])("%s in a loop, far behind its beginning", async (type, pieces) => {
    const client = createClient({ fetch: answerOf(type, pieces) });
    const masked: string[] = [];
    for await (const piece of client.stream("GET http://h.test/", { keepBytes: 1_000 })) {
      masked.push(client.secrets.mask(JSON.stringify(piece)));
    }
    expect(masked.join()).toContain("•••");
    expect(masked.join()).not.toContain(TOKEN);
  });

  test("headers are known before the body comes", async () => {
    const headers = { "Set-Cookie": `sid=${TOKEN}` };
    const client = createClient({ fetch: answerOf("text/plain", ["a", "b"], headers) });
    const seen: string[] = [];
    const onHeaders = (): unknown => seen.push(client.secrets.mask(TOKEN));
    await client.send("GET http://h.test/", { onHeaders });
    expect(seen).toEqual(["•••"]);
  });

  test("what has come of an answer that breaks off is shown without", async () => {
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode(`{"token": "${TOKEN}", "rest`)),
      pull: (controller) => controller.error(new Error("broken")),
    });
    const headers = { "Content-Type": "application/json" };
    const client = createClient({ fetch: async () => new Response(body, { headers }) });
    const failure: unknown = await client.send("GET http://h.test/").catch((error) => error);
    expect(failure).toBeInstanceOf(NoResponseError);
    const shown = renderBundle(failure, { secrets: [client.secrets] });
    expect(Object.values(shown).join()).not.toContain(TOKEN);
    expect(client.secrets.mask(TOKEN)).toBe("•••");
  });
});
