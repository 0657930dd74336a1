import { describe, expect, it } from "vitest";
import { createTerminalPrinter } from "../../kernel/terminal/mod.ts";
import { renderBundle, showPart, showTable, toText, viewRich } from "../../lib/display/mod.ts";
import type { ExchangePart } from "../../lib/exchange/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { FIELDS } from "./hostile-fields.ts";
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
    expect(text).toContain("Cookie: a=•••");
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

describe("no view forgets to mask a text", () => {
  const HUSH = "Hush-41-Zq";
  const store = createSecretStore();
  store.hideText(HUSH);
  const secrets = [store];

  function formsOf(value: unknown): string {
    let printed = "";
    const write = (text: string): void => {
      printed += text;
    };
    createTerminalPrinter({ write, columns: () => 400, color: false }, { secrets: store }).value(
      value,
    );
    const blocks = viewRich(value, { secrets }) ?? [];
    return [
      printed,
      toText(blocks),
      JSON.stringify([blocks, renderBundle(value, { secrets })]),
    ].join("\n");
  }

  const PARTS: readonly ExchangePart[] = ["request", "headers", "body", "json", "text", "hex"];

  it.each(Object.entries(FIELDS))("of an answer: %s", (name, make) => {
    const answer = make(HUSH);
    const views = [answer, ...PARTS.map((part) => showPart(answer, part))];
    // A status class is one of six words.
    if (name === "a status class") return;
    for (const view of views) expect(formsOf(view)).not.toContain(HUSH);
  });

  const Named = { [HUSH]: class {} }[HUSH] as new () => object;
  const named = Object.assign(() => 1, { nothing: 1 });
  Object.defineProperty(named, "name", { value: HUSH });

  it.each<[string, unknown]>([
    ["a class", Object.assign(new Named(), { inner: new Named(), list: [new Named()] })],
    ["a function and a symbol", { run: named, mark: Symbol(HUSH), list: [[named]] }],
    ["a map and a set", new Map<unknown, unknown>([[{ k: HUSH }, new Set([HUSH])]])],
    ["a pattern, a URL and an error", [/Hush-41-Zq/, new URL(`http://h/${HUSH}`), new Error(HUSH)]],
    ["rows", [{ id: 1, [HUSH]: HUSH, inner: { [HUSH]: [HUSH] } }]],
    ["a table", showTable([{ id: 1, [HUSH]: HUSH }])],
    ["an error with a cause", new TypeError(HUSH, { cause: new Error(HUSH) })],
    ["bytes", { bytes: new TextEncoder().encode(HUSH) }],
  ])("of a program: %s", (_, value) => {
    expect(formsOf(value)).not.toContain(HUSH);
  });
});
