import { describe, expect, it } from "vitest";
import { createTerminalPrinter } from "../../kernel/terminal/mod.ts";
import { renderBundle, showPart, showTable } from "../../lib/display/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { textOfHtml } from "./judge.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

/** Values that look alike without their types, and how each is shown in a cell. */
const VALUES: readonly (readonly [value: unknown, shown: string, color: string | undefined])[] = [
  ["5", '"5"', "string"],
  [5, "5", "number"],
  ["-0.5e3", '"-0.5e3"', "string"],
  ["null", '"null"', "string"],
  [null, "null", "literal"],
  ["true", '"true"', "string"],
  [true, "true", "literal"],
  ["", '""', "string"],
  [undefined, "undefined", "literal"],
  [" x", '" x"', "string"],
  ["[1]", '"[1]"', "string"],
  [[1], "[1]", undefined],
  ['"5"', '"\\"5\\""', "string"],
  ["one\ntwo", '"one\\ntwo"', "string"],
  ["Ada", "Ada", "string"],
  ["2024-01-02", "2024-01-02", "string"],
  ["{{token}}", "{{token}}", "string"],
];

const escaped = (text: string): string => text.replaceAll('"', "&quot;");

describe("JSON types", () => {
  it.each(VALUES)(
    "of %j are told apart in a table and in keys and values",
    (value, shown, color) => {
      for (const view of [showTable([{ v: value }]), parsedExchange({ v: value })]) {
        const bundle = renderBundle(view);
        const html = bundle["text/html"] ?? "";
        const body = html.slice(html.indexOf("<tbody>"));
        const [, style = "", cell = ""] = /<td[^>]* style="([^"]*)">(.*?)<\/td>/.exec(body) ?? [];
        expect(textOfHtml(cell)).toBe(shown);
        expect(/var\(--(\w+)\)/.exec(style)?.[1]).toBe(color);
        const line = bundle["text/plain"].split("\n").findLast((it) => it !== "1 row") ?? "";
        expect(line.replace(/^v/, "").trim()).toBe(shown);
      }
    },
  );

  it("show in all forms of a request body", () => {
    const { request } = sampleExchange("");
    const headers = [["Content-Type", "application/json"]] as const;
    const sent = { ...request, headers, body: '[{"a":"5","b":5,"c":null,"d":"null"}]' };
    const bundle = renderBundle(sampleExchange("", "", { request: sent }));
    expect(bundle["text/plain"]).toContain('  "5"  5  null  "null"\n');
    expect(bundle["text/markdown"]).toContain('| "5" | 5 | null | "null" |');
    expect(bundle["text/html"]).toMatch(new RegExp(`>${escaped('"null"')}</td>`));
  });

  it("show in a body that is one value, and in a result", () => {
    const plain = (value: unknown): string => renderBundle(value)["text/plain"];
    expect(plain(sampleExchange('"5"')).endsWith('\n\n"5"')).toBe(true);
    expect(plain(sampleExchange("5")).endsWith("\n\n5")).toBe(true);
    expect(plain(sampleExchange('"null"')).endsWith('\n\n"null"')).toBe(true);
    expect(["5", 5, "null", null, "", "Ada", "two\nlines"].map(plain)).toEqual([
      ...['"5"', "5", '"null"', "null", '""', "Ada", "two\nlines"],
    ]);
  });

  it("have a colour each at a terminal", () => {
    let text = "";
    const write = (part: string): void => {
      text += part;
    };
    const stream = { write, columns: () => 80, color: true };
    createTerminalPrinter(stream, {}).value(showTable([{ a: "5", b: 5, c: null, d: true }]));
    const colors = ['"5"', " *5", "null", "true"].map(
      (shown) => new RegExp(`\u001b\\[(\\d+)m${shown}`).exec(text)?.[1],
    );
    expect(colors).toEqual(["32", "36", "33", "33"]);
  });

  it("of CSV and forms are none: nothing is in quotes but line breaks", () => {
    const csv = sampleExchange('a,b\n5,null\n"1\n2",\n', "text/csv");
    expect(renderBundle(csv)["text/plain"]).toMatch(/\n +5 {2}null\n"1\\n2"\n/);
    const form = sampleExchange("a=5&b=", "application/x-www-form-urlencoded");
    expect(renderBundle(form)["text/plain"]).toMatch(/a {2}5\nb$/);
  });
});

describe("the source of a JSON body", () => {
  const text = '{"id":1.0,"name":"Ada","tags":["a"]}';
  const indented = '{\n  "id": 1.0,\n  "name": "Ada",\n  "tags": [\n    "a"\n  ]\n}';

  it("is folded below its view, indented and coloured, and not repeated in text", () => {
    const bundle = renderBundle(sampleExchange(text));
    const [, fold = ""] =
      /<summary[^>]*>JSON \(36 bytes\)<\/summary>\n([\s\S]*)/.exec(bundle["text/html"] ?? "") ?? [];
    expect(fold).toContain('<b style="color:var(--name)">&quot;name&quot;</b>: <span');
    expect(bundle["text/plain"]).not.toContain("JSON (");
    expect(bundle["text/markdown"]).not.toContain("JSON (");
  });

  it('is what client.show(x, "body") shows, with digits as they were sent', () => {
    const bundle = renderBundle(showPart(sampleExchange(text), "body"));
    expect(bundle["text/plain"]).toBe(indented);
    expect(bundle["text/html"]).toContain('<span style="color:var(--number)">1.0</span>');
    expect(
      renderBundle(showPart(sampleExchange("a,b\n1,2\n", "text/csv"), "body"))["text/plain"],
    ).toBe("a  b\n─  ─\n1  2\n1 row");
  });

  it("has its secrets masked", () => {
    const store = createSecretStore();
    store.setVariable("token", "hush-hush-42", true);
    const exchange = sampleExchange('{"a":"hush-hush-42"}', undefined, { secrets: [store] });
    const html = renderBundle(exchange)["text/html"];
    expect(html).not.toContain("hush");
    expect(html?.match(/\{\{token\}\}/g)).toHaveLength(2);
  });

  it("is cut where it is long, which a note says", () => {
    const long = JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id })));
    const html = renderBundle(sampleExchange(long))["text/html"] ?? "";
    expect(html).toMatch(/The first [\d,]+ characters of 23 kB are shown/);
  });
});
