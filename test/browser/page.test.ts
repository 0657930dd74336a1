import { readFileSync } from "node:fs";
import sanitizeHtml from "sanitize-html";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderBundle, showPart } from "../../lib/display/mod.ts";
import { EVERY_VIEW } from "../display/every-view.ts";
import { FIELDS } from "../display/hostile-fields.ts";
import { sampleExchange } from "../display/sample.ts";
import { JUPYTERLAB } from "../display/sanitizers.ts";
import { hasTools } from "../support/require.ts";
import { poke, startBrowser, type WatchedBrowser, type WatchedPage } from "./browser.ts";
import { bundlesOf, everywhereBundles, TEXTS, valueBundles } from "./hostile-bundles.ts";

const PURIFY = readFileSync("node_modules/dompurify/dist/purify.min.js", "utf8");

const html = (body: string): { contentType: string; body: string } => ({
  contentType: "text/html; charset=utf-8",
  body: `<!doctype html><title>test</title><meta name=color-scheme content="light dark">${body}`,
});

/** The ways in which a page may get hold of a bundle's HTML. */
const WAYS: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  together: (parts) => parts.join("\n"),
  "set as innerHTML": (parts) =>
    `<main></main>${dataScript(parts)}<script>document.querySelector("main").innerHTML = parts.join("")</script>`,
  "after JupyterLab's sanitiser": (parts) =>
    parts.map((part) => sanitizeHtml(part, JUPYTERLAB)).join("\n"),
  "after DOMPurify": (parts) =>
    `<main></main>${dataScript(parts)}<script>${PURIFY}</script><script>document.querySelector("main").innerHTML = parts.map((part) => DOMPurify.sanitize(part)).join("")</script>`,
};

function dataScript(parts: readonly string[]): string {
  return `<script>const parts = ${JSON.stringify(parts).replaceAll("<", "\\u003c")}</script>`;
}

describe.skipIf(!hasTools("browser"))("hostile answers in Chromium", () => {
  let browser: WatchedBrowser;
  let watched: WatchedPage;
  let body = "";
  beforeAll(async () => {
    browser = await startBrowser();
    watched = await browser.open(({ href }) =>
      href === "http://lab.test/" ? html(body) : undefined,
    );
  });
  afterAll(() => browser.close());

  async function incidentsIn(shown: string, pause = 0): Promise<readonly string[]> {
    const { page, incidents } = watched;
    incidents.length = 0;
    body = shown;
    await page.goto("http://lab.test/");
    await poke(page);
    await page.waitForTimeout(pause);
    return [...incidents];
  }

  it("is watched: a page that gives in is noticed", async () => {
    const seen = await incidentsIn(
      "<img src=http://evil.test/p onerror=pwned(1)><link rel=preconnect href=http://evil.test/>",
    );
    expect(seen).toContain("PWNED pwned");
    expect(seen).toContain("a request for http://evil.test/p");
  });

  it.each(Object.keys(FIELDS))("run nothing and request nothing in %s", async (field) => {
    // `test/display/hostile.test.ts` has each text in every field, without a browser.
    const parts = bundlesOf(field).map((bundle) => bundle["text/html"] ?? "");
    expect(await incidentsIn(parts.join("\n"))).toEqual([]);
  });

  it.each(Object.keys(WAYS))("run nothing and request nothing %s", async (way) => {
    const bundles = [...everywhereBundles(), ...valueBundles()];
    const parts = bundles.map((bundle) => bundle["text/html"] ?? "");
    expect(await incidentsIn(WAYS[way]?.(parts) ?? "")).toEqual([]);
  });

  it("after DOMPurify every view still says all that it said", async () => {
    const parts = Object.values(EVERY_VIEW).map((value) => renderBundle(value)["text/html"] ?? "");
    body = `${dataScript(parts)}<script>${PURIFY}</script>`;
    const { page } = watched;
    await page.goto("http://lab.test/");
    const texts = await page.evaluate<[string, string][]>(`parts.map((part) => {
      const textOf = (markup) => {
        const holder = document.createElement("div");
        holder.innerHTML = markup;
        return holder.textContent;
      };
      return [textOf(DOMPurify.sanitize(part)), textOf(part)];
    })`);
    expect(texts).toHaveLength(parts.length);
    for (const [clean, whole] of texts) expect(clean).toBe(whole);
  });

  it.each([0, 1, 2])(
    "run nothing and request nothing in previews of pages, part %i",
    async (part) => {
      const parts = TEXTS.filter((_, index) => index % 3 === part).map((text) => {
        const view = renderBundle(showPart(sampleExchange(text, "text/html"), "html-preview"));
        return view["text/html"]?.replace(' loading="lazy"', "") ?? "";
      });
      expect(parts.join("").match(/<iframe/g)).toHaveLength(parts.length);
      expect(await incidentsIn(parts.join("\n"), 500)).toEqual([]);
    },
  );
});
