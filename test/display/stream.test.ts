import { describe, expect, test } from "vitest";
import {
  type BodyPreview,
  createBodyPreview,
  createRowReader,
  type MimeBundle,
  renderBundle,
  renderInProgress,
} from "../../lib/display/mod.ts";
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
    expect(few["text/plain"]).toMatch(/2 events\n#\s+event\s+id\s+data/);
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
    const reader = createRowReader("application/x-ndjson");
    reader?.push(new TextEncoder().encode('{"a":"hush-hush-1"}\n{"a":2}\n{"a":'));
    const bundle = renderInProgress(
      {
        head: head("application/x-ndjson"),
        method: "GET",
        received: 1_000_000,
        total: 4_000_000,
        elapsed: 2_000,
        reader,
        preview: createBodyPreview(head("application/x-ndjson")),
      },
      ["hush-hush-1"],
    );
    const text = bundle["text/plain"];
    expect(text).toContain("in progress · 1.0 MB of 4.0 MB (25 %) in 2.0 s");
    expect(text).toContain("2 lines");
    expect(JSON.stringify(bundle)).not.toContain("hush-hush");
  });

  const answer = { method: "GET", received: 30, total: undefined, elapsed: 500, reader: undefined };
  const begun = (type: string, ...pieces: string[]): BodyPreview => {
    const preview = createBodyPreview(head(type));
    for (const piece of pieces) preview.push(new TextEncoder().encode(piece));
    return preview;
  };
  const shownOf = (type: string, ...pieces: string[]): MimeBundle =>
    renderInProgress({ ...answer, head: head(type), preview: begun(type, ...pieces) });

  test("shows the first rows of a listing that is not whole, and no picture", () => {
    const rows = ['[{"id":1,"name":"Ada"},{"id', '":2,"na'];
    const listing = shownOf("application/json", ...rows);
    expect(listing["text/plain"]).toMatch(/1\s+Ada/);
    expect(listing["text/plain"]).not.toMatch(/incomplete|parse/);
    const picture = shownOf("image/png", "x");
    expect(picture["text/plain"]).toMatch(/in progress · 30 bytes in 500 ms$/);
  });

  test("counts the rows of a long listing that have come, and shows what broke off as far as it came", () => {
    const row = `{"id":1,"name":"${"x".repeat(1_000)}"}`;
    const rows = Array.from({ length: 2_000 }, () => row).join(",");
    const listing = shownOf("application/json", `[${rows.slice(0, 700_000)}`, rows.slice(700_000));
    expect(listing["text/plain"]).toContain("of 2,000 rows shown");
    const broken = shownOf("application/json", `[${rows}`, ",oops");
    expect(broken["text/plain"]).toContain("rows shown");
    expect(shownOf("application/json", `"${rows}`)["text/plain"]).toMatch(/in progress/);
  });

  const LISTING = `[${Array.from({ length: 100_000 }, (_, id) => `{"id":${id},"n":"Ada"}`)}]`;
  const answered = (): Promise<Exchange> => {
    const fetch = async (): Promise<Response> =>
      new Response(LISTING, { headers: { "content-type": "application/json" } });
    return createClient({ fetch }).send("GET http://h.test/");
  };

  test("what was learnt of a long listing on its way is not looked for again", async () => {
    // Nothing else tells whether bytes are read again: where they were, these blanks would be seen.
    const ended = async (from: number): Promise<string> => {
      const exchange = await answered();
      exchange.bytes.fill(0x20);
      begun("application/json", LISTING.slice(0, 1_100_000), LISTING.slice(from)).end(exchange);
      return renderBundle(exchange)["text/plain"];
    };
    expect(await ended(1_100_000)).toContain("50 of 100,000 rows shown");
    expect(await ended(1_100_001)).not.toContain("Ada");
  });

  test("a secret deep inside of a long listing is hidden, on its way and when it is whole", () => {
    const rows = `[${JSON.stringify({ blob: "x".repeat(2_000_000), password: "hush-hush-2" })},{"id":2}]`;
    const preview = begun("application/json", rows.slice(0, 900_000), rows.slice(900_000));
    const secrets = createSecretStore();
    preview.learn(secrets);
    const arriving = { ...answer, head: head("application/json"), preview };
    expect(JSON.stringify(renderInProgress(arriving, [secrets]))).toContain("•••");
    expect(JSON.stringify(renderInProgress(arriving, [secrets]))).not.toContain("hush-hush-2");
    const exchange = sampleExchange(rows, "application/json", { secrets: [createSecretStore()] });
    expect(JSON.stringify(renderBundle(exchange))).not.toContain("hush-hush-2");
    const short = begun("application/json", '[{"password":"hush-hush-3"}');
    short.learn(secrets);
    expect(secrets.mask("hush-hush-3")).toBe("•••");
  });

  test("a long listing is walked over once, however often it is looked at", async () => {
    const exchange = await answered();
    const before = renderBundle(exchange);
    exchange.bytes.fill(0x20);
    expect(renderBundle(exchange)).toEqual(before);
    expect(before["text/plain"]).toContain("50 of 100,000 rows shown");
  });
});
