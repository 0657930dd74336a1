import { describe, expect, test } from "vitest";
import { createRowReader, renderArrival, renderBundle } from "../../lib/display/mod.ts";
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
    expect(few["text/plain"]).toMatch(/2 events\n#\s+event\s+id\s+data/);
    const many = renderBundle(sampleExchange(events(1000), "text/event-stream"));
    const text = many["text/plain"];
    expect(text).toContain(
      "1,000 events: the first 10 and the last 20 are shown, 970 between them are not",
    );
    expect(text).toMatch(/\n *10 +message +10 .*\n *981 +message +981 /);
    expect(text).toMatch(/\n *1000 +message +1000 /);
    expect(many["text/html"]).toContain("<table");
  });

  test("without events, and with hostile ones, is said to be so and stays text", () => {
    const none = renderBundle(sampleExchange(": ping\n\n", "text/event-stream"));
    expect(none["text/plain"]).toContain("No event has come");
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
    const reader = createRowReader("application/x-ndjson");
    reader?.push(new TextEncoder().encode('{"a":"hush-hush-1"}\n{"a":2}\n{"a":'));
    const bundle = renderArrival(
      {
        head: head("application/x-ndjson"),
        method: "GET",
        received: 1_000_000,
        total: 4_000_000,
        elapsed: 2_000,
        reader,
        beginning: new Uint8Array(0),
      },
      ["hush-hush-1"],
    );
    const text = bundle["text/plain"];
    expect(text).toContain("on its way · 1.0 MB of 4.0 MB (25 %) in 2.0 s");
    expect(text).toContain("2 lines");
    expect(JSON.stringify(bundle)).not.toContain("hush-hush");
  });

  test("shows the first rows of a listing that is not whole, and no picture", () => {
    const answer = {
      method: "GET",
      received: 30,
      total: undefined,
      elapsed: 500,
      reader: undefined,
      beginning: new TextEncoder().encode('[{"id":1,"name":"Ada"},{"id":2,"na'),
    };
    const listing = renderArrival({ ...answer, head: head("application/json") });
    expect(listing["text/plain"]).toMatch(/1\s+Ada/);
    expect(listing["text/plain"]).not.toMatch(/not whole|parse/);
    const picture = renderArrival({ ...answer, head: head("image/png") });
    expect(picture["text/plain"]).toMatch(/on its way · 30 bytes in 500 ms$/);
  });
});
