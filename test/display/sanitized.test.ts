import type { Element } from "hast";
import { fromHtml } from "hast-util-from-html";
import { describe, expect, it } from "vitest";
import { isExchange, renderBundle } from "../../lib/display/mod.ts";
import { EVERY_VIEW } from "./every-view.ts";
import { FIELDS } from "./hostile-fields.ts";
import { expectInert, textOfHtml, visit } from "./judge.ts";
import { sampleExchange } from "./sample.ts";
import { SANITIZERS } from "./sanitizers.ts";
import { XSS } from "./xss.cases.ts";

const htmlOf = (value: unknown): string => renderBundle(value)["text/html"] ?? "";

const SAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EVERY_VIEW).map(([name, value]) => [name, htmlOf(value)]),
);

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
    expect(clean(SAMPLES["a table"] ?? "")).toMatch(/<h4[^>]*><strong[^>]*>200 OK<\/strong>/);
    expect(clean(SAMPLES["HTML"] ?? "")).toMatch(/<pre[^>]*>[\s\S]*\n {2}[\s\S]*<\/pre>/);
    expect(clean(SAMPLES["bodies, redirects and warnings"] ?? "")).toMatch(
      /<details[^>]*><summary[^>]*>Request body/,
    );
  });

  it("rows stay rows, cells stay cells, and folds stay folds", () => {
    const kept = "tr,th,td,thead,tbody,table,details,summary,pre".split(",");
    for (const [sample, html] of Object.entries(SAMPLES)) {
      expect(namesIn(clean(html), kept), sample).toEqual(namesIn(html, kept));
    }
  });

  it("numbers of a list are still told from its values, a warning and a class are said in words", () => {
    expect(textOfHtml(clean(SAMPLES["several answers"] ?? ""))).toMatch(
      /200 OK · Informational.*200 OK · Client error.*200 OK · Server error/,
    );
    expect(textOfHtml(clean(SAMPLES["bodies, redirects and warnings"] ?? ""))).toContain(
      "Warning: This looks wrong",
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

/** The names of the elements that have one of some names, in order. */
function namesIn(html: string, names: readonly string[]): readonly string[] {
  const found: string[] = [];
  visit(fromHtml(html, { fragment: true }), ({ tagName }) => {
    if (names.includes(tagName)) found.push(tagName);
  });
  return found;
}

describe.each(Object.keys(SAMPLES))("the HTML of %s", (name) => {
  const elements: Element[] = [];
  visit(fromHtml(SAMPLES[name] ?? "", { fragment: true }), (element) => elements.push(element));
  const all = (tag: string): Element[] => elements.filter(({ tagName }) => tagName === tag);

  it("says of each header of a table what it is the header of", () => {
    for (const header of all("th")) expect(header.properties["scope"]).toMatch(/^(?:col|row)$/);
    for (const table of all("table")) {
      const inner: Element[] = [];
      visit(table, (element) => inner.push(element));
      expect(inner.some(({ tagName }) => tagName === "th")).toBe(true);
    }
  });

  it("names what can be folded, played, seen or scrolled, and begins an answer with a heading", () => {
    for (const fold of all("details")) {
      const [first] = fold.children.filter(({ type }) => type === "element");
      expect(first).toMatchObject({ tagName: "summary" });
    }
    for (const picture of all("img")) expect(picture.properties["alt"]).toBeTruthy();
    for (const tag of ["audio", "video"]) {
      for (const player of all(tag)) expect(player.properties["ariaLabel"]).toBeTruthy();
    }
    for (const frame of all("iframe")) expect(frame.properties["title"]).toBeTruthy();
    if (isExchange(EVERY_VIEW[name])) expect(all("h4")).toHaveLength(1);
  });
});
