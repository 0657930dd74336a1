import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasTools } from "../support/require.ts";
import { poke, startBrowser, type WatchedBrowser } from "./browser.ts";
import { everywhereBundles, maskedBundles, valueBundles } from "./hostile-bundles.ts";
import { createJupyterFolder, type JupyterFolder, pieces, serveConverted } from "./jupyter.ts";

/** The forms of a bundle that a notebook shows, each by itself. */
const FORMS = ["text/html", "text/markdown", "text/plain"] as const;

/** Waits until MathJax has looked at the page, and says what formulas it found. */
async function typeset(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { MathJax } = window as unknown as { MathJax?: MathJaxV2 };
    if (MathJax === undefined) return -1;
    await new Promise<void>((resolve) => MathJax.Hub.Queue(["Typeset", MathJax.Hub], resolve));
    return MathJax.Hub.getAllJax().length;
  });
}

interface MathJaxV2 {
  readonly Hub: { Queue(...work: unknown[]): void; getAllJax(): unknown[] };
}

describe.skipIf(!hasTools("browser", "jupyter"))("hostile answers in Jupyter's pages", () => {
  let browser: WatchedBrowser;
  let jupyter: JupyterFolder;
  let address: string;
  beforeAll(async () => {
    browser = await startBrowser();
    jupyter = createJupyterFolder();
    const values = valueBundles().filter((_, index) => index % 9 < 3);
    const bundles = [...everywhereBundles(), ...values, ...maskedBundles()];
    jupyter.write("forms.ipynb", maskedBundles());
    for (const form of FORMS) {
      const name = form.slice(5);
      // MathJax takes its time for each output: many texts share one.
      const texts = bundles.map((bundle) => String(bundle[form] ?? ""));
      const shown = pieces(texts, 60).map((piece) => ({ [form]: piece.join("\n\n") }));
      for (const trust of ["trusted", "untrusted"]) jupyter.write(`${trust}-${name}.ipynb`, shown);
    }
    jupyter.trust(FORMS.map((form) => `trusted-${form.slice(5)}.ipynb`));
    jupyter.write("formula.ipynb", [{ "text/html": "<p>$x^2$</p>" }]);
    address = await jupyter.serve();
  });
  afterAll(async () => {
    await browser.close();
    jupyter.close();
  });

  async function openNotebook(name: string) {
    const { origin } = new URL(address);
    const opened = await browser.open((url) => (url.origin === origin ? "pass" : undefined));
    await opened.page.goto(`${address}notebooks/${name}`);
    await opened.page.waitForSelector(".output_area", { state: "attached" });
    await opened.page.waitForFunction(
      () =>
        (window as unknown as { Jupyter?: { notebook?: { _fully_loaded?: boolean } } }).Jupyter
          ?.notebook?._fully_loaded,
    );
    return opened;
  }

  it("is watched: MathJax runs in both pages", async () => {
    const { page, close } = await openNotebook("formula.ipynb");
    expect(await typeset(page)).toBe(1);
    await close();
    const converted = await browser.open(serveConverted(jupyter.toHtml("formula.ipynb")));
    await converted.page.goto("http://lab.test/");
    expect(await typeset(converted.page)).toBe(1);
    await converted.close();
  });

  for (const trust of ["trusted", "untrusted"]) {
    it.each(FORMS)(
      `run nothing and request nothing in a ${trust} classic notebook as %s`,
      async (form) => {
        const { page, incidents, close } = await openNotebook(`${trust}-${form.slice(5)}.ipynb`);
        expect(await typeset(page)).toBe(0);
        // The menus of the page itself are left alone.
        await poke(page, ".output_area");
        // The notebook itself makes links of addresses in plain text, and only there.
        if (form !== "text/plain")
          expect(await page.locator(".output_area a[href]:not([download])").count()).toBe(0);
        expect(incidents).toEqual([]);
        await close();
      },
    );
  }

  it.each(FORMS)("run nothing and request nothing in nbconvert's page as %s", async (form) => {
    const html = jupyter.toHtml(`trusted-${form.slice(5)}.ipynb`);
    const { page, incidents, close } = await browser.open(serveConverted(html));
    await page.goto("http://lab.test/");
    expect(await typeset(page)).toBe(0);
    await poke(page);
    expect(incidents).toEqual([]);
    await close();
  });

  it("run nothing and request nothing in what nbconvert makes of them as Markdown", async () => {
    // Its own reader of Markdown shows what it has written.
    jupyter.write("converted.ipynb", [{ "text/markdown": jupyter.toMarkdown("forms.ipynb") }]);
    const { page, incidents, close } = await browser.open(
      serveConverted(jupyter.toHtml("converted.ipynb")),
    );
    await page.goto("http://lab.test/");
    expect(await page.locator("table").count()).toBeGreaterThan(5);
    await poke(page);
    expect(incidents).toEqual([]);
    await close();
  });
});
