import { describe, expect, it } from "vitest";
import { renderBundle, showTable } from "../../lib/display/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { textOfHtml } from "./judge.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

const htmlOf = (value: unknown): string => renderBundle(value)["text/html"] ?? "";
const summaries = (html: string): string[] =>
  [...html.matchAll(/<summary[^>]*>([^<]*)<\/summary>/g)].map(([, title = ""]) => title);

const { request, timing } = sampleExchange("");

describe("the status line", () => {
  it("comes first: badge, class, method and URL, time and size", () => {
    const html = htmlOf(parsedExchange([{ id: 1 }]));
    const [, heading = ""] = /^<div[^>]*>\n<h4[^>]*>(.*)<\/h4>\n/.exec(html) ?? [];
    expect(textOfHtml(heading)).toBe(
      "200 OK · Successful · GET http://127.0.0.1:8787/users?limit=2 · 12 ms · 3 bytes",
    );
    expect(heading).toMatch(/^<strong style="background-color:#1a7f37/);
  });

  it.each([
    [12, 12, "12 ms"],
    [30, 45, "45 ms"],
    [2_900, 2_950, "3.0 s"],
    [120, 3_200, "3.2 s (headers after 120 ms)"],
  ])("with headers after %i ms of %i ms says %j", (headers, total, said) => {
    const exchange = sampleExchange("", "", { timing: { ...timing, headers, total } });
    expect(textOfHtml(htmlOf(exchange))).toContain(`limit=2 · ${said} · 0`);
  });

  it("is the only place of a bundle with times: another run changes nothing else", () => {
    const run = (day: number, total: number): ReturnType<typeof renderBundle> => {
      const startedAt = new Date(Date.UTC(2026, 0, day));
      const headers = new Headers({ ETag: "1", Date: startedAt.toUTCString() });
      return renderBundle(
        sampleExchange("{}", "application/json", {
          headers,
          timing: { headers: total, total, startedAt },
        }),
      );
    };
    const { "text/html": first = "", ...others } = run(1, 12);
    const { "text/html": second, ...again } = run(2, 340);
    expect(again).toEqual(others);
    expect(others["text/plain"]).toContain("etag: 1");
    expect(second).not.toBe(first);
    for (const time of ["12 ms", "Thu, 01 Jan 2026", "2026-01-01T00:00"]) {
      expect(first).toContain(time);
      expect(JSON.stringify(others)).not.toContain(time);
    }
  });
});

describe("the row of folds", () => {
  it("has all headers that were sent, the Host first", () => {
    const defaults = [
      ["User-Agent", "restlab/1"],
      ["Host", "a.test"],
    ] as const;
    const exchange = sampleExchange("ok", "text/plain", { request: { ...request, defaults } });
    const text = renderBundle(exchange)["text/plain"];
    expect(text).toContain(
      "Request headers (3)\n  Host: a.test\n  accept: application/json\n  User-Agent: restlab/1\n",
    );
    expect(summaries(htmlOf(exchange))).toEqual([
      "Text",
      "Request headers (3)",
      "Response headers (1)",
      "Timing",
    ]);
    expect(htmlOf(exchange).match(/display:flex/g)).toHaveLength(1);
  });

  it("begins with the view, which is open, and the JSON beside it; others are closed by opening one", () => {
    const html = htmlOf(sampleExchange('[{"id":1}]'));
    expect(summaries(html)).toEqual([
      "Table",
      "JSON (10 bytes)",
      "Request headers (1)",
      "Response headers (1)",
      "Timing",
    ]);
    const names = [...html.matchAll(/<details name="([^"]*)"( open)?/g)];
    expect(new Set(names.map(([, name]) => name)).size).toBe(1);
    expect(names.map(([, , open]) => open)).toEqual([" open", ...Array(4).fill(undefined)]);
    // Another answer has a row of its own.
    expect(htmlOf(sampleExchange('[{"id":2}]'))).not.toContain(String(names[0]?.[1]));
  });

  it("has no fold for nothing", () => {
    const bare = sampleExchange("", "", {
      headers: new Headers(),
      request: { ...request, headers: [] },
    });
    expect(summaries(htmlOf(bare))).toEqual(["Timing"]);
    expect(renderBundle(bare)["text/plain"]).not.toMatch(/headers|Timing/);
  });

  it("has the cookies by their names, with their values hidden", () => {
    const headers = new Headers({ "set-cookie": "sid=abcdefgh-1; Path=/; HttpOnly" });
    const exchange = sampleExchange("", "", {
      headers,
      request: { ...request, headers: [["Cookie", "theme=dark; lang=en"]] },
    });
    const html = htmlOf(exchange);
    expect(summaries(html)).toContain("Cookies (3)");
    expect(textOfHtml(html)).toContain("theme•••sent");
    expect(textOfHtml(html)).toContain("sid•••receivedPath=/; HttpOnly");
    expect(html).not.toMatch(/abcdefgh|dark/);
  });
});

describe("below the status", () => {
  const notes = ["Sent 2 times: 503, then 200"];
  const warnings = ["The response is cut"];

  it("a note is shown without the word Warning, beside warnings", () => {
    const bundle = renderBundle(sampleExchange("ok", "text/plain", { notes, warnings }));
    expect(bundle["text/plain"]).toContain("\nWarning: The response is cut\n");
    expect(bundle["text/plain"]).toMatch(/\nSent 2 times: 503, then 200\n/);
    expect(bundle["text/markdown"]).toContain("Sent 2 times: 503, then 200");
    const html = bundle["text/html"] ?? "";
    expect(html.match(/<strong>Warning: <\/strong>[^<]*/g)).toEqual([
      "<strong>Warning: </strong>The response is cut",
    ]);
    expect(html).toMatch(/<small[^>]*>Sent 2 times: 503, then 200<\/small>/);
    for (const text of Object.values(bundle)) expect(text).not.toMatch(/Warning\W*Sent 2 times/);
  });
});

describe("the width of a table", () => {
  const long = "a text of some length ".repeat(4);
  const html = htmlOf(showTable([{ id: 1, role: "admin", note: long, home: { city: long } }]));

  it("is shared: narrow columns are not wrapped, wide ones are", () => {
    expect(html).toMatch(/<table[^>]*white-space:nowrap/);
    expect(html).toMatch(/<th[^>]*white-space:inherit">role<\/th>/);
    expect(html).toMatch(/<th[^>]*white-space:normal;min-width:36ch[^>]*>note<\/th>/);
  });

  it("is scrolled without the status", () => {
    const answer = htmlOf(parsedExchange([{ a: 1 }]));
    expect(answer).not.toMatch(/^<div[^>]*overflow/);
    expect(answer).toMatch(/<div[^>]*style="overflow:auto;contain:inline-size">\n<table/);
  });

  it("leaves nested values short, with their full text in a title", () => {
    const [, title = "", text = ""] = /<td title="([^"]*)"[^>]*>(\{.*?)<\/td>/.exec(html) ?? [];
    expect(text.replace(/<wbr>|&\w+;/g, "").length).toBeLessThan(40);
    expect(title.replaceAll("&quot;", '"')).toBe(JSON.stringify({ city: long }));
  });
});

describe("an image", () => {
  const bytes = new Uint8Array(1_999_999).fill(7);

  it("of up to 2 MB is shown, and in the bundle by its media type", () => {
    const bundle = renderBundle(sampleExchange(bytes, "image/png"));
    expect(String(bundle["image/png"]).length).toBe(2_666_668);
    expect(bundle["text/html"]).toContain('src="data:image/png;base64,BwcH');
    expect(bundle["text/plain"]).toContain("[image: image/png, 2.0 MB]");
    for (const mediaType of ["image/jpeg", "image/gif", "image/webp"]) {
      const small = renderBundle(sampleExchange(bytes.subarray(0, 2_000), mediaType));
      expect(String(small[mediaType]).length).toBe(2_668);
      expect(small["text/html"]).toContain(`src="data:${mediaType};base64,BwcH`);
      expect(small["text/plain"]).toContain(`[image: ${mediaType}, 2.0 kB]`);
    }
  });

  it("that is larger says how to see it, and SVG is in no bundle", () => {
    const url = "http://a.test/chart.png?x";
    const large = renderBundle(sampleExchange(new Uint8Array(2_000_001), "image/png", { url }));
    expect(large["text/plain"]).toContain('to save it as a file, write ">> chart.png" after');
    expect(large).not.toHaveProperty("image/png");
    expect(Object.keys(renderBundle(sampleExchange("<svg/>", "image/svg+xml")))).toEqual([
      ...["text/plain", "text/html", "text/markdown"],
    ]);
  });

  it("that contains a secret anywhere is not shown", () => {
    const store = createSecretStore();
    store.setVariable("token", "hush-hush-42", true);
    const marked = bytes.slice();
    marked.set(new TextEncoder().encode("hush-hush-42"), 1_500_000);
    const bundle = renderBundle(sampleExchange(marked, "image/png", { secrets: [store] }));
    expect(bundle["text/plain"]).toContain("that contains a secret is not shown");
    expect(bundle).not.toHaveProperty("image/png");
  });
});

describe("a path that is copied from an answer", () => {
  const fetch = async (): Promise<Response> => Response.json([{ id: 1 }]);

  it("is a placeholder only while the name refers to that answer", async () => {
    const client = createClient({ fetch });
    const first = await client.send("# @name users\nGET http://h.test/");
    expect(htmlOf(first)).toContain('title="{{users.response.body[0].id}}"');
    const second = await client.send("# @name users\nGET http://h.test/");
    expect(htmlOf(first)).not.toContain("{{users");
    expect(htmlOf(first)).toContain('title=".json[0].id"');
    expect(htmlOf(second)).toContain('title="{{users.response.body[0].id}}"');
  });

  it("does not say client.last, which is soon another answer", async () => {
    const client = createClient({ fetch });
    const first = await client.send("GET http://h.test/");
    await client.send("GET http://h.test/2");
    expect(htmlOf(first)).not.toContain("client.last");
    expect(htmlOf(first)).toContain('title=".json[0].id"');
  });
});

describe("what is worth knowing of an answer", () => {
  it("is a note, and only a problem is a warning", () => {
    const notes = ["Sent 2 times: 503, then 200"];
    const noted = renderBundle(sampleExchange("1", undefined, { notes }));
    const warned = renderBundle(sampleExchange("1", undefined, { warnings: notes }));
    for (const form of ["text/html", "text/markdown", "text/plain"] as const) {
      expect(textOfHtml(noted[form] ?? "")).toContain("Sent 2 times: 503, then 200");
      expect(noted[form]).not.toContain("Warning");
      expect(warned[form]).toContain("Warning");
    }
  });
});
