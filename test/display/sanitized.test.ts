import { describe, expect, it } from "vitest";
import { renderBundle } from "../../lib/display/mod.ts";
import { FIELDS } from "./hostile-fields.ts";
import { expectInert, textOfHtml } from "./judge.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";
import { SANITIZERS } from "./sanitizers.ts";
import { XSS } from "./xss.cases.ts";

const htmlOf = (value: unknown): string => renderBundle(value)["text/html"] ?? "";

const { request } = sampleExchange("");
const SAMPLES: Readonly<Record<string, string>> = {
  "a table": htmlOf(parsedExchange([{ id: 1, name: "Ada", price: "$5" }])),
  "keys and values": htmlOf(parsedExchange({ a: { b: [{ c: 1 }] }, d: [1, 2] })),
  "source text": htmlOf(sampleExchange('<a href="x">\n  <!-- y -->\n</a>', "text/html")),
  "bodies, redirects and warnings": htmlOf(
    sampleExchange("", "", {
      request: { ...request, body: "a=1", writtenUrl: "http://{{x}}/" },
      warnings: ["This looks wrong"],
      redirects: [
        {
          method: "GET",
          url: "http://a/1",
          status: 302,
          statusText: "Found",
          statusClass: "Redirection",
          location: "/2",
        },
      ],
    }),
  ),
  "an error": htmlOf(new TypeError("no")),
};

describe.each(Object.keys(SANITIZERS))("after the sanitiser %s", (name) => {
  const clean = SANITIZERS[name] ?? String;

  it.each(Object.keys(SAMPLES))("%s says all that it said", (sample) => {
    const html = SAMPLES[sample] ?? "";
    expect(textOfHtml(clean(html))).toBe(textOfHtml(html));
  });

  it("a table is still a table, a heading a heading, and source keeps its lines", () => {
    expect(clean(SAMPLES["a table"] ?? "")).toMatch(
      /<table[^>]*>\s*<thead><tr><th[^>]*>id<\/th><th[^>]*>name<\/th>/,
    );
    expect(clean(SAMPLES["a table"] ?? "")).toMatch(/<h4[^>]*><strong>GET<\/strong>/);
    expect(clean(SAMPLES["source text"] ?? "")).toMatch(/<pre[^>]*>[\s\S]*\n {2}[\s\S]*<\/pre>/);
    expect(clean(SAMPLES["bodies, redirects and warnings"] ?? "")).toMatch(
      /<details[^>]*><summary[^>]*>Request body/,
    );
  });

  it("leaves nothing that acts of any hostile text", () => {
    const makers = Object.values(FIELDS);
    XSS.forEach((text, index) => {
      const make = makers[index % makers.length] ?? (() => sampleExchange(""));
      expectInert(clean(htmlOf(make(text))));
    });
  });
});
