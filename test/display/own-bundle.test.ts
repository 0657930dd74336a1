import { describe, expect, it } from "vitest";
import { html, renderBundle, renderBundleAsync } from "../../lib/display/mod.ts";
import { jupyterDisplay } from "../../lib/exchange/mod.ts";
import { HOSTILE_MARK, secretsOf } from "./markup-tokens.ts";

const SECRET = "Own-s3cret";

function shown(form: Readonly<Record<string, unknown>>, secret = SECRET, mark = "{{mine}}") {
  const value = { [jupyterDisplay]: () => form };
  return renderBundle(value, { secrets: [secretsOf(secret, mark)] });
}

const NOT_SHOWN = "This output is not shown: its markup contains a secret";

describe("markup that a value hands out itself", () => {
  it.each([
    ["a text", "text/html", `<p>a ${SECRET} b</p>`],
    ["an attribute", "text/html", `<b title='a ${SECRET}'>x`],
    ["the name of a tag", "text/html", `<x-${SECRET}>y`],
    ["a script", "text/html", `<script>f("${SECRET}")</script>`],
    ["a template", "text/html", html`<p>${SECRET}</p>`.source],
    ["a drawing", "image/svg+xml", `<svg><text>${SECRET}</text></svg>`],
    ["XML", "application/xml", `<a><b>${SECRET}</b></a>`],
    ["Markdown", "text/markdown", `# ${SECRET}\n`],
    ["a formula", "text/latex", `$${SECRET}$`],
    ["a program", "application/javascript", `f("${SECRET}")`],
  ])("is replaced by a note where a secret stands in %s", async (_, type, content) => {
    const bundle = shown({ [type]: content });
    expect(JSON.stringify(bundle)).not.toContain("s3cret");
    expect(bundle["text/html"]).toContain(NOT_SHOWN);
    const later = { [jupyterDisplay]: async () => ({ [type]: content }) };
    const { "text/plain": plain } = await renderBundleAsync(later, { secrets: [SECRET] });
    expect(plain).toContain("This output is not shown");
  });

  it.each([
    '<P CLASS=a>b&nbsp;<br/><!-- c --><script>if (a < b && c) "d"</script>',
    "<table><td>1<!doctype html></div><svg><circle r=1 /></svg>",
    "<img src=x onerror=",
    "not <even html & so on",
  ])("without a secret stays byte for byte: %s", (markup) => {
    expect(shown({ "text/html": markup })["text/html"]).toBe(markup);
  });

  it.each([
    ["<h1>Hi</h1><p>a&amp;b&#x21;&nbsp;<br>c</p><script>no()</script>", "Hi\na&b!\nc"],
    ["<!-- no --><style>no</style>a <b>b</b>\n c<pre>d\ne</pre>", "a b c\nd\ne"],
    ["<svg aria-label=\"Two bars\"><text>no</text></svg><img src=x alt='A'>", "[Two bars][A]"],
    ["<p>Own-<b>s3cret</b></p>", "{{mine}}"],
  ])("has a text for a terminal: %s", (markup, text) => {
    expect(shown({ "text/html": markup })["text/plain"]).toBe(text);
  });

  it.each(["<script>", '<a href="', "<pre>", "<!--", "<svg title='"])(
    "has a text in time in proportion to its length: %s",
    (piece) => {
      const markup = piece.repeat(200_000);
      expect(shown({ "text/html": markup })["text/plain"].length).toBeLessThan(30_000);
    },
  );
});

describe("other forms that a value hands out", () => {
  it.each([
    ["plain text", "text/plain", `a ${SECRET}`, "a {{mine}}"],
    ["data", "application/json", { [SECRET]: [SECRET] }, { "{{mine}}": ["{{mine}}"] }],
    ["data as text", "application/geo+json", `{"a":"${SECRET}"}`, '{"a":"{{mine}}"}'],
    ["bytes", "image/png", `AAAA${SECRET}`, `AAAA${SECRET}`],
  ])("%s: it is masked by its leaves", (_, type, given, masked) => {
    expect(shown({ [type]: given })[type]).toEqual(masked);
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
      { secrets: [secretsOf("style")] },
    );
    expect(other["text/html"]).toContain(NOT_SHOWN);
  });
});
