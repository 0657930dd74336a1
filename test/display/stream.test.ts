import { describe, expect, test } from "vitest";
import { ArrivingResponse, type MimeBundle, renderBundle } from "../../lib/display/mod.ts";
import type { Exchange } from "../../lib/exchange/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { sampleExchange } from "./sample.ts";

const head = (mediaType: string, more: Record<string, string> = {}) => ({
  url: "http://127.0.0.1:8787/stream?token=hush-hush-1",
  status: 200,
  statusText: "OK",
  headers: new Headers({ "content-type": mediaType, ...more }),
  mediaType,
});

const events = (count: number): string =>
  Array.from({ length: count }, (_, n) => `id: ${n + 1}\ndata: {"n":${n + 1}}\n\n`).join("");

describe("an event stream", () => {
  test("is a table of its events, the first and the last of a long one", () => {
    const few = renderBundle(sampleExchange(events(2), "text/event-stream"));
    expect(few["text/plain"]).toMatch(/2 events\n#\s+event\s+id\s+n/);
    const many = renderBundle(sampleExchange(events(1000), "text/event-stream"));
    const text = many["text/plain"];
    expect(text).toContain(
      "1,000 events: the first 10 and the last 20 are shown, 970 in between are not",
    );
    expect(text).toMatch(/\n *10 +message +"10" .*\n *981 +message +"981" /);
    expect(text).toMatch(/\n *1000 +message +"1000" /);
    expect(many["text/html"]).toContain("<table");
  });

  test("without events, and with hostile ones, is said to be so and stays text", () => {
    const none = renderBundle(sampleExchange(": ping\n\n", "text/event-stream"));
    expect(none["text/plain"]).toContain("No event has arrived");
    const hostile =
      "event: <img src=x onerror=alert(1)>\ndata: <script>alert(1)</script>\u001b[31m\n\n";
    const { "text/html": html, "text/plain": text } = renderBundle(
      sampleExchange(hostile, "text/event-stream"),
    );
    expect(html).not.toMatch(/<(?:img|script)/);
    expect(text).not.toContain("\u001b");
  });
});

describe("an answer on its way", () => {
  test("shows its status, how far it is and its rows, without secrets", () => {
    const secrets = createSecretStore();
    secrets.learn({ kind: "value", value: { password: "hush-hush-1" } }, "person");
    const response = new ArrivingResponse(head("application/x-ndjson"), "GET");
    response.push(new TextEncoder().encode('{"a":"hush-hush-1"}\n{"a":2}\n{"a":'));
    const progress = { received: 1_000_000, total: 4_000_000, elapsed: 2_000 };
    const bundle = response.render(progress, secrets);
    const text = bundle["text/plain"];
    expect(text).toContain("in progress · 1.0 MB of 4.0 MB (25 %) in 2.0 s");
    expect(text).toContain("2 lines");
    expect(JSON.stringify(bundle)).not.toContain("hush-hush");
  });

  const shownOf = (
    type: string,
    pieces: readonly string[],
    secrets = createSecretStore(),
  ): MimeBundle => {
    const response = new ArrivingResponse(head(type), "GET");
    for (const piece of pieces) response.push(new TextEncoder().encode(piece));
    return response.render({ received: 30, total: undefined, elapsed: 500 }, secrets);
  };

  test("shows the first rows of a listing that is not whole, and no picture", () => {
    const rows = ['[{"id":1,"name":"Ada"},{"id', '":2,"na'];
    const listing = shownOf("application/json", rows);
    expect(listing["text/plain"]).toMatch(/1\s+Ada/);
    expect(listing["text/plain"]).not.toMatch(/incomplete|parse/);
    const picture = shownOf("image/png", ["x"]);
    expect(picture["text/plain"]).toMatch(/in progress · 30 bytes in 500 ms$/);
  });

  const LISTING = `[${Array.from({ length: 100_000 }, (_, id) => `{"id":${id},"n":"Ada"}`)}]`;
  const answered = (): Promise<Exchange> => {
    const fetch = async (): Promise<Response> =>
      new Response(LISTING, { headers: { "content-type": "application/json" } });
    return createClient({ fetch }).send("GET http://h.test/");
  };

  test("a secret deep inside of a long listing is hidden, and one of a listing on its way", () => {
    const rows = `[${JSON.stringify({ blob: "x".repeat(2_000_000), password: "hush-hush-2" })},{"id":2}]`;
    const exchange = sampleExchange(rows, "application/json", { secrets: [createSecretStore()] });
    expect(JSON.stringify(renderBundle(exchange))).not.toContain("hush-hush-2");
    const secrets = createSecretStore();
    shownOf("application/json", ['[{"password":"hush-hush-3"}'], secrets);
    expect(secrets.mask("hush-hush-3")).toBe("•••");
  });

  test("a long listing is walked over once, however often it is looked at", async () => {
    const exchange = await answered();
    const before = renderBundle(exchange)["text/plain"];
    exchange.bytes.fill(0x20);
    expect(renderBundle(exchange)["text/plain"]).toBe(before);
    expect(before).toContain("50 of 100,000 rows shown");
  });
});
