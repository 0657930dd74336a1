import { describe, expect, it, test } from "vitest";
import {
  DEFAULT_LIMITS,
  renderBundle,
  showPart,
  showTable,
  toText,
  viewRich,
} from "../../lib/display/mod.ts";
import type { Part } from "../../lib/display/part.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

const USERS = [
  { id: 2, name: "Grace", born: 1906 },
  { id: 10, name: "Ada" },
  { id: 1, name: "Alan", born: 1912 },
];
const USERS_ANSWER = sampleExchange(JSON.stringify(USERS));

test("a preview masks the fields of a page in their place, as its source does", () => {
  const page = '<input type="hidden" name="csrf_token" value="wordy">';
  const exchange = sampleExchange(page, "text/html", { secrets: [createSecretStore()] });
  const html = renderBundle(showPart(exchange, "html-preview"))["text/html"] ?? "";
  expect(html).toContain("csrf_token");
  expect(html).not.toContain("wordy");
});

test("a source is masked as far as it is shown, whatever the limit", () => {
  const store = createSecretStore();
  store.setVariable("token", "hush-hush-42", true);
  const text = JSON.stringify({ a: "x ".repeat(320_000), b: "hush-hush-42" });
  const limits = { ...DEFAULT_LIMITS, source: 700_000, bundle: 10_000_000 };
  const html = renderBundle(sampleExchange(text, undefined, { secrets: [store] }), { limits })[
    "text/html"
  ];
  expect(html).toContain("{{token}}");
  expect(html).not.toContain("hush-hush");
});

describe("showPart", () => {
  it.each<[Part, RegExp]>([
    ["request", /^GET http.*\n\nRequest headers \(1\)\n {2}accept: application\/json$/],
    [
      "headers",
      /^Request headers \(1\)[\s\S]*\n\nResponse headers \(1\)\n {2}content-type: application\/json$/,
    ],
    ["body", /^\[\n {2}\{\n {4}"id": 2,\n {4}"name": "Grace",/],
    ["text", /^\[\{"id":2,"name":"Grace"/],
    ["table", /^id {2}name {3}born\n/],
    ["hex", /^Binary body[\s\S]*00000000 {2}5b 7b/],
  ])("shows the part %s alone", (part, expected) => {
    const bundle = renderBundle(showPart(USERS_ANSWER, part));
    expect(bundle["text/plain"]).toMatch(expected);
    expect(bundle).toHaveProperty("text/html");
    expect(bundle).not.toHaveProperty("application/json");
    expect(String(showPart(USERS_ANSWER, part))).toBe(bundle["text/plain"]);
  });

  it("gives the data to who asks for JSON, whatever the options of the cell say", () => {
    const bundle = renderBundle(showPart(USERS_ANSWER, "json"), { json: false });
    expect(bundle["application/json"]).toEqual(USERS);
    const broken = renderBundle(showPart(sampleExchange("{"), "json"));
    expect(broken).not.toHaveProperty("application/json");
    expect(broken["text/plain"]).toMatch(/^Warning: /);
  });

  it("says in the cell that asks for it when a body has no table", () => {
    expect(() => showPart(sampleExchange("it is none"), "table")).toThrow(
      'Cannot parse the body as JSON at line 1, column 1: near "it is none"',
    );
  });

  it("calls no getter, in any form", () => {
    const rows = [
      {
        get broken(): never {
          throw new Error("out of order");
        },
      },
    ];
    const view = showTable(rows);
    expect(String(view)).toContain("[Getter]");
    expect(toText(viewRich(view) ?? [])).toContain("[Getter]");
    expect(renderBundle(view)["text/html"]).toContain("[Getter]");
  });

  it("frames a page without scripts, and has its source beside it", () => {
    const page = "<h1>Hi</h1><script>alert(1)</script><a href=http://a/>x</a><link rel=preconnect>";
    const html = renderBundle(showPart(sampleExchange(page, "text/html"), "html-preview"))[
      "text/html"
    ];
    expect(html).toMatch(/^<div[^>]*>\n<iframe sandbox="" /);
    expect(html).toContain("default-src &#39;none&#39;");
    const srcdoc = /srcdoc="([^"]*)"/.exec(html ?? "")?.[1];
    expect(srcdoc).toContain("&lt;h1&gt;Hi&lt;/h1&gt;");
    expect(srcdoc).not.toMatch(/&lt;\/?(?:script|a|link)\b/);
  });

  it("says which parts there are", () => {
    expect(() => showPart(USERS_ANSWER, "cookies" as Part)).toThrow(
      'Cannot show the part "cookies" of an exchange: the parts are request, headers, body, json, text, hex, html-preview, table',
    );
  });
});

function table(...parameters: Parameters<typeof showTable>): string[] {
  return String(showTable(...parameters)).split("\n");
}

describe("showTable", () => {
  it.each<[string, unknown, string[]]>([
    ["objects", [{ a: 1 }, { b: 2 }], ["a  b", "─  ─", "1", "   2", "2 rows"]],
    ["arrays", [[1, 2], [3]], ["0  1", "─  ─", "1  2", "3", "2 rows"]],
    ["scalars", [1, "x"], ["value", "─────", "    1", "x", "2 rows"]],
    ["a Map", new Map([["k", { a: 1 }]]), ["key  a", "───  ─", "k    1", "1 row"]],
    ["a Set", new Set([7]), ["value", "─────", "    7", "1 row"]],
    [
      "an object",
      { x: { a: 1 }, y: 2 },
      ["key  a  value", "───  ─  ─────", "x    1", "y           2", "2 rows"],
    ],
    ["a wrapped listing", { data: [{ a: 1 }], total: 9 }, ["a", "─", "1", "1 row"]],
    ["an exchange", parsedExchange([{ a: 1 }]), ["a", "─", "1", "1 row"]],
    ["nothing", [], ["", "", "0 rows"]],
  ])("shows %s", (_, value, expected) => {
    expect(table(value)).toEqual(expected);
  });

  it("sorts numbers as numbers, in both directions, with what is missing last", () => {
    const names = (sort: string, descending: boolean) =>
      table(USERS, { sort, descending, columns: ["name"] }).slice(2, 5);
    expect(names("id", false)).toEqual(["Alan", "Grace", "Ada"]);
    expect(names("name", true)).toEqual(["Grace", "Alan", "Ada"]);
    expect(names("born", true)).toEqual(["Alan", "Grace", "Ada"]);
  });

  it("shows the rows and columns that were asked for, in their order", () => {
    const filter = ({ born }: Readonly<Record<string, unknown>>) => born !== undefined;
    expect(table(USERS, { columns: ["name", "id"], rows: 1, filter })).toEqual([
      "name   id",
      "─────  ──",
      "Grace   2",
      "1 of 2 rows shown",
    ]);
  });

  it.each([
    [{ columns: "name" }, "Cannot show a table with the columns name: give a list"],
    [{ rows: 0 }, "Cannot show a table of 0 rows: give a whole number from 1"],
  ])("refuses %j", (options, message) => {
    expect(() => showTable(USERS, options as never)).toThrow(new TypeError(message));
  });

  it("is a view of its own at a terminal, too", () => {
    expect(toText(viewRich(showTable([{ a: 1 }])) ?? [])).toBe("a\n─\n1\n1 row");
  });

  it("shows the path of each row and column", () => {
    const { request } = sampleExchange("");
    const named = parsedExchange(
      { data: [{ "a b": 1 }] },
      { request: { ...request, name: "login" } },
    );
    const html = renderBundle(named)["text/html"];
    expect(html).toContain('<tr title="{{login.response.body.data[0]}}"');
    expect(html).toContain('title="{{login.response.body.data[0][&quot;a b&quot;]}}"');
    expect(renderBundle(parsedExchange([{ id: 1 }]))["text/html"]).toContain('title=".json[0].id"');
  });
});
