import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../../lib/display/markdown.ts";
import { renderBundle, renderBundleAsync, toText, viewExchange } from "../../lib/display/mod.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

const USERS = [
  { id: 1, name: "Leanne", address: { city: "Gwenborough" } },
  { id: 20, name: "日本 太郎", active: true },
];

function textOf(exchange: ReturnType<typeof parsedExchange>): string {
  return toText(viewExchange(exchange), { headers: "folded" });
}

describe("renderBundle of an Exchange", () => {
  it("shows request line, status with class, size and a table as plain text", () => {
    const exchange = sampleExchange(JSON.stringify(USERS));
    expect(renderBundle(exchange)["text/plain"].split("\n")).toEqual([
      `200 OK · Successful · GET http://127.0.0.1:8787/users?limit=2 · ${exchange.bytes.length} bytes`,
      "",
      "Request headers (1)",
      "  accept: application/json",
      "",
      "Response headers (1)",
      "  content-type: application/json",
      "",
      "id  name       address                 active",
      "──  ─────────  ──────────────────────  ──────",
      ' 1  Leanne     {"city":"Gwenborough"}',
      "20  日本 太郎                          true",
      "2 rows",
    ]);
  });

  it("marks the headers of a table and folds the header lists in HTML", () => {
    const html = renderBundle(parsedExchange(USERS))["text/html"] ?? "";
    expect(html).toMatch(/<th scope="col"[^>]* style="text-align:left[^"]*">name<\/th>/);
    expect(html).toMatch(/<details[^>]*><summary[^>]*>Response headers \(1\)<\/summary>/);
    expect(html).toContain("<strong>GET</strong> http://127.0.0.1:8787/users?limit=2");
    expect(html).not.toMatch(/<(?:script|style|link)|https?:\/\/(?!127)/);
  });

  it("writes a table that a Markdown viewer aligns", () => {
    expect(toMarkdown(viewExchange(parsedExchange(USERS)))).toContain(
      [
        "| id | name | address | active |",
        "| ---: | :--- | :--- | :--- |",
        '| 1 | Leanne | `{"city":"Gwenborough"}` |  |',
        "| 20 | 日本 太郎 |  | true |",
      ].join("\n"),
    );
  });

  it("adds the parsed body as application/json, unless told not to", () => {
    expect(renderBundle(parsedExchange(USERS))["application/json"]).toEqual(USERS);
    expect(renderBundle(parsedExchange(USERS), { json: false })).not.toHaveProperty(
      "application/json",
    );
  });

  it("keeps the digits of big integers in every form", () => {
    const bundle = renderBundle(parsedExchange([{ id: 12345678901234567890n }]));
    for (const form of ["text/plain", "text/html", "text/markdown"]) {
      expect(bundle[form]).toContain("12345678901234567890");
    }
    expect(bundle["application/json"]).toEqual([{ id: "12345678901234567890" }]);
  });

  it("shows redirect hops and warnings", () => {
    const text = textOf(
      sampleExchange("", "", {
        warnings: ["The body does not parse"],
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
    );
    expect(text).toContain("302 Found · Redirection → /2");
    expect(text).toContain("Warning: The body does not parse");
  });

  it.each([
    [
      "an object",
      parsedExchange({ a: 1, b: { c: "x", d: null } }),
      "a  1\nb (2 keys)\n  c  x\n  d  null",
    ],
    ["a list of scalars", parsedExchange([1, "two", null]), "0  1\n1  two\n2  null"],
    [
      "rows inside an object",
      parsedExchange({ data: [{ id: 1 }], total: 9 }),
      "data (1 row)\n  id\n  ──\n   1\ntotal  9",
    ],
    ["a scalar", parsedExchange(42), "42"],
    ["an empty list", parsedExchange([]), "Empty list"],
    ["an empty object", parsedExchange({}), "Empty object"],
    ["an empty body", sampleExchange(""), "Empty body"],
    [
      "an answer to HEAD",
      sampleExchange("", "", { request: { ...sampleExchange("").request, method: "HEAD" } }),
      "No body: a response to HEAD has none",
    ],
    ["HTML", sampleExchange("<p>hi</p>\n", "text/html"), "<p>hi</p>"],
    ["text without a media type", sampleExchange("plain", ""), "plain"],
    [
      "bytes",
      sampleExchange(new Uint8Array([0x89, 0x50, 0x00]), "application/zip"),
      "Binary body: application/zip, 3 bytes\n00000000  89 50 00                                         .P.",
    ],
    [
      "a cut body",
      sampleExchange("abc", "text/plain", { cut: true }),
      "Warning: The body is incomplete: only its first 3 bytes are available",
    ],
  ])("shows %s", (_, exchange, expected) => {
    expect(textOf(exchange).endsWith(expected)).toBe(true);
  });

  it("shows a JSON body that does not parse as text, with the reason", () => {
    const text = textOf(sampleExchange('{"a": 1,,}', "application/problem+json"));
    expect(text).toMatch(/Warning: .*JSON/);
    expect(text.endsWith('{"a": 1,,}')).toBe(true);
  });

  it("shows an SVG as an image alone, and only in HTML", () => {
    const bundle = renderBundle(sampleExchange("<svg><script>1</script></svg>", "image/svg+xml"));
    expect(bundle["text/html"]).toMatch(
      /<img alt="[^"]*" src="data:image\/svg\+xml;base64,[\w+/=]+"/,
    );
    expect(bundle["text/markdown"]).toContain("Image: ");
    expect(Object.keys(bundle)).not.toContain("image/svg+xml");
  });

  it("shows a list of Exchanges one after the other", () => {
    const plain = renderBundle([
      sampleExchange("a", "text/plain"),
      sampleExchange("b", "text/plain"),
    ])["text/plain"];
    expect(plain.match(/200 OK · Successful/g)).toHaveLength(2);
  });
});

describe("renderBundle of a value", () => {
  it.each<[string, unknown, string]>([
    ["undefined", undefined, ""],
    ["null", null, "null"],
    ["a string", "two\nlines", "two\nlines"],
    ["a bigint", 42n, "42"],
    ["a class", class User {}, "[class User]"],
    ["a function", Math.max, "[Function: max]"],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a map", new Map([["a", 1]]), 'Map(1) {"a": 1}'],
    ["a set", new Set([1]), "Set(1) [1]"],
  ])("says %s in plain text", (_, value, expected) => {
    expect(renderBundle(value)["text/plain"]).toBe(expected);
  });

  it("takes the host's words for plain text and the table for HTML", () => {
    const bundle = renderBundle(USERS, { inspect });
    expect(bundle["text/plain"]).toBe(inspect(USERS));
    expect(bundle["text/html"]).toContain("<td");
  });

  it("shows a cyclic object", () => {
    const value: Record<string, unknown> = { a: 1 };
    value["self"] = value;
    const bundle = renderBundle(value);
    expect(bundle["text/plain"]).toBe('{"a": 1, "self": [Circular]}');
    expect(bundle).not.toHaveProperty("application/json");
  });

  it("lets a value show itself, at once or later", async () => {
    const display = Symbol.for("Jupyter.display");
    const bundle = { "text/plain": "me", "text/html": "<b>me</b>" };
    expect(renderBundle({ [display]: () => bundle })).toEqual(bundle);
    expect(await renderBundleAsync({ [display]: async () => bundle })).toEqual(bundle);
    expect(await renderBundleAsync(Promise.resolve(7))).toEqual({ "text/plain": "7" });
    expect((await renderBundleAsync(Promise.reject(new TypeError("no"))))["text/plain"]).toContain(
      "TypeError: no",
    );
  });
});
