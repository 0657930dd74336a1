import { describe, expect, it } from "vitest";
import { renderBundle } from "../../lib/display/mod.ts";
import { sampleExchange } from "./sample.ts";

const SECRET = 's3cr+t/"key" ü';
const FORMS = [
  SECRET,
  encodeURIComponent(SECRET),
  JSON.stringify(SECRET).slice(1, -1),
  btoa(String.fromCharCode(...new TextEncoder().encode(SECRET))),
];
const { request } = sampleExchange("");

describe("renderBundle of an answer with secrets", () => {
  it.each([
    [
      "the URL",
      sampleExchange("", "", { request: { ...request, url: `http://a/?k=${FORMS[1]}` } }),
    ],
    ["a header", sampleExchange("", "", { headers: new Headers({ "x-echo": FORMS[3] ?? "" }) })],
    ["a warning", sampleExchange("", "", { warnings: [`At ${SECRET}`] })],
    ["a text body", sampleExchange(`${"x".repeat(19_995)}${SECRET}`, "text/plain")],
    ["rows", sampleExchange(JSON.stringify([{ echo: `${"x".repeat(75)}${SECRET}`, [SECRET]: 1 }]))],
    ["a nested object", sampleExchange(JSON.stringify({ a: { b: [{ c: { d: SECRET } }] } }))],
    ["a JSON body that does not parse", sampleExchange(`{"a": ${JSON.stringify(SECRET)},,`)],
    ["a binary body", sampleExchange(new TextEncoder().encode("s3cr+t/"), "application/x")],
  ])("shows none in %s, in whatever form", (_, exchange) => {
    const secret = exchange.mediaType === "application/x" ? "s3cr+t/" : SECRET;
    const bundle = renderBundle(Object.assign(exchange, { secrets: [secret] }));
    const shown = JSON.stringify(bundle);
    for (const form of [...FORMS, "s3cr+t/"]) expect(shown).not.toContain(form);
  });

  it("shows no bytes of one in a typed array", () => {
    const value = new TextEncoder().encode("Listed-s3cret-é");
    const bundle = renderBundle(value, { secrets: ["Listed-s3cret-é"] });
    for (const [type, form] of Object.entries(bundle)) {
      const numbers = JSON.stringify(form).replace(/<[^>]*>|\\n/g, " ");
      expect(numbers, type).not.toMatch(/\b(?:76|4c)\D+(?:\d\D+)?(?:105|69)\b/);
    }
  });

  it("hides credentials in headers and keeps their scheme", () => {
    const exchange = sampleExchange("", "", {
      request: {
        ...request,
        headers: [
          ["Authorization", "Bearer abcdef"],
          ["Cookie", "a=b"],
        ],
      },
    });
    const text = renderBundle(exchange)["text/plain"];
    expect(text).toContain("Authorization: Bearer •••");
    expect(text).toContain("Cookie: •••");
  });

  it("hides the texts it is told of in errors and values", () => {
    const options = { secrets: ["hunter2"] };
    for (const value of [
      new Error("at hunter2"),
      { a: ["hunter2"] },
      "hunter2",
      new Map([["hunter2", 1]]),
    ]) {
      expect(JSON.stringify(renderBundle(value, options))).not.toContain("hunter2");
    }
  });
});
