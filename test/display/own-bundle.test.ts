import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { renderBundle, renderBundleAsync } from "../../lib/display/mod.ts";
import { jupyterDisplay } from "../../lib/exchange/mod.ts";
import { HOSTILE_MARK, secretsOf } from "./markup-tokens.ts";

const SECRET = "Own-s3cret";
const markup = () => createRequire(import.meta.url)("parse5");

function shown(form: Readonly<Record<string, unknown>>, secret = SECRET, mark = "{{mine}}") {
  const value = { [jupyterDisplay]: () => ({ "text/plain": "x", ...form }) };
  return renderBundle(value, { secrets: [secretsOf(secret, mark)], markup });
}
const htmlOf = (html: string, secret?: string, mark?: string): unknown =>
  shown({ "text/html": html }, secret, mark)["text/html"];

const NOT_SHOWN = "This output is not shown: its markup contains a secret";

describe("markup that a value hands out itself", () => {
  it.each([
    ["a text", `<p>a ${SECRET} b</p>`, "<p>a {{mine}} b</p>"],
    ["a quoted attribute", `<b title='a ${SECRET}'>x`, "<b title='a {{mine}}'>x"],
    ["an address", `<a href="http://h/?k=${SECRET}">x</a>`, '<a href="http://h/?k=•••">x</a>'],
    ["a title and a text field", `<textarea>${SECRET}</textarea>`, "<textarea>{{mine}}</textarea>"],
    [
      "a text of a drawing",
      `<svg><text>${SECRET}</text></svg>`,
      "<svg><text>{{mine}}</text></svg>",
    ],
    ["many places", `<i>${SECRET}</i>${SECRET}`, "<i>{{mine}}</i>{{mine}}"],
  ])("is masked in %s, and the rest of it stays", (_, html, masked) => {
    expect(htmlOf(html)).toBe(masked);
  });

  it("is masked beside more elements than a function takes arguments", () => {
    const many = "<i>1</i>".repeat(200_000);
    expect(htmlOf(`${many}<b>${SECRET}</b>`)).toBe(`${many}<b>{{mine}}</b>`);
  });

  it.each([
    ["the name of a tag", `<x-${SECRET}>y`],
    ["the name of an attribute", `<b ${SECRET}=1>y</b>`],
    ["an attribute without quotes", `<b title=${SECRET}>y</b>`],
    ["an attribute that acts", `<b onclick="f('${SECRET}')">y</b>`],
    ["a style", `<b style="color:${SECRET}">y</b>`],
    ["a style sheet", `<style>a { color: ${SECRET} }</style>`],
    ["a script", `<script>f("${SECRET}")</script>`],
    ["a script of a drawing", `<svg><script>f("${SECRET}")</script></svg>`],
    ["an address that is a program", `<a href=" java&#9;script:f('${SECRET}')">y</a>`],
    ["what a frame shows", `<iframe srcdoc="<p>${SECRET}</p>"></iframe>`],
    ["a comment", `<!-- ${SECRET} -->y`],
    ["text that is raw", `<xmp>${SECRET}</xmp><noscript>${SECRET}</noscript>`],
    ["a template", `<template><p>${SECRET}</p></template>`],
    ["a tag that a browser drops between texts", `<p>a<td class="${SECRET}">b</p>`],
    ["two nodes", `<b>Own-s3</b>`.replace("s3</b>", `${SECRET}</b ${SECRET}>`)],
  ])("is not shown where a secret stands in %s", (_, html) => {
    expect(htmlOf(html)).not.toContain(SECRET);
    expect(htmlOf(html)).toContain(NOT_SHOWN);
  });

  it("is not shown where the text of a secret reaches over a tag", () => {
    expect(htmlOf('<td align="left">1</td>', 'left">1')).toContain(NOT_SHOWN);
    expect(htmlOf("<table><tr><td>1</table>", "table")).toContain(NOT_SHOWN);
  });

  it.each([
    '<P CLASS=a>b&nbsp;<br/><!-- c --><script>if (a < b && c) "d"</script>',
    "<table><td>1<!doctype html></div><svg><circle r=1 /></svg>",
    "not <even html & so on",
  ])("without a secret stays byte for byte: %s", (html) => {
    expect(htmlOf(html)).toBe(html);
  });

  it("gets no markup by a placeholder", () => {
    for (const html of [`<p>${SECRET}</p>`, `<b title="${SECRET}">x</b>`]) {
      expect(htmlOf(html, SECRET, HOSTILE_MARK)).toBe(html.replace(SECRET, "•••"));
    }
  });

  it("is not shown where nothing can parse it, unless it is waited for", async () => {
    const value = { [jupyterDisplay]: () => ({ "text/html": `<p>${SECRET}</p>` }) };
    const secrets = [SECRET];
    expect(renderBundle(value, { secrets })["text/html"]).toContain(NOT_SHOWN);
    expect((await renderBundleAsync(value, { secrets }))["text/html"]).toBe("<p>•••</p>");
    const later = { [jupyterDisplay]: async () => ({ "text/html": `<p>${SECRET}</p>` }) };
    expect((await renderBundleAsync(later, { secrets }))["text/html"]).toBe("<p>•••</p>");
  });
});

describe("other forms that a value hands out", () => {
  it.each([
    [
      "a drawing",
      "image/svg+xml",
      `<svg><text>${SECRET}</text></svg>`,
      "<svg><text>{{mine}}</text></svg>",
    ],
    ["XML", "application/xml", `<a><b>${SECRET}</b></a>`, "<a><b>{{mine}}</b></a>"],
    ["plain text", "text/plain", `a ${SECRET}`, "a {{mine}}"],
    ["data", "application/json", { [SECRET]: [SECRET] }, { "{{mine}}": ["{{mine}}"] }],
    ["data as text", "application/geo+json", `{"a":"${SECRET}"}`, '{"a":"{{mine}}"}'],
    ["Markdown", "text/markdown", `# ${SECRET}\n`, "# {{mine}}\n"],
    ["bytes", "image/png", `AAAA${SECRET}`, `AAAA${SECRET}`],
  ])("%s: it is masked by its leaves", (_, type, given, masked) => {
    expect(shown({ [type]: given })[type]).toEqual(masked);
  });

  it.each([
    ["a formula", "text/latex", `$${SECRET}$`],
    ["a program", "application/javascript", `f("${SECRET}")`],
    ["a drawing with a script", "image/svg+xml", `<svg><script>${SECRET}</script></svg>`],
  ])("%s: it is left out, and a note says so", (_, type, given) => {
    const bundle = shown({ [type]: given });
    expect(bundle[type]).toBeUndefined();
    expect(bundle["text/html"]).toContain(NOT_SHOWN);
  });

  it("Markdown gets no tag by a placeholder, and no fence is taken away", () => {
    const given = "```html\n<img src=x onerror=pwned()>\n```\n\nkey: Own-s3cret";
    const of = (secret: string) => shown({ "text/markdown": given }, secret, HOSTILE_MARK);
    expect(of(SECRET)["text/markdown"]).toBe(given.replace(SECRET, "•••"));
    for (const secret of ["```html", "```html\n", "\n```"]) {
      expect(of(secret)["text/markdown"]).toContain(NOT_SHOWN);
    }
  });

  it("a placeholder brings no control character into plain text", () => {
    const text = shown({ "text/plain": SECRET }, SECRET, HOSTILE_MARK)["text/plain"];
    expect(text).toContain("‹U+009B›2J‹U+202E›␛[2J");
  });

  it("our own bundles that a value hands on are not masked again", () => {
    const secrets = [secretsOf("table", "{{x}}")];
    const inner = renderBundle([{ a: 1 }], { secrets });
    expect(renderBundle({ [jupyterDisplay]: () => inner }, { secrets })).toBe(inner);
    const other = renderBundle(
      { [jupyterDisplay]: () => inner },
      { secrets: [secretsOf("style")], markup },
    );
    expect(other["text/html"]).toContain(NOT_SHOWN);
  });
});
