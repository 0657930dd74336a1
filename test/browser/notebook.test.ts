import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasTools } from "../support/require.ts";
import { poke, startBrowser, type WatchedBrowser } from "./browser.ts";
import { everywhereBundles, maskedBundles, valueBundles } from "./hostile-bundles.ts";
import { createJupyterFolder, type JupyterFolder, pieces, serveConverted } from "./jupyter.ts";

/** The forms of a bundle that a notebook shows, each in outputs of its own. */
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
    const masked = maskedBundles();
    const bundles = [...everywhereBundles(), ...valueBundles(3), ...masked];
    jupyter.write("forms.ipynb", masked);
    const shown = FORMS.flatMap((form) => {
      // MathJax takes its time for each output: many texts share one.
      const texts = bundles.map((bundle) => String(bundle[form] ?? ""));
      return pieces(texts, 60).map((piece) => ({ [form]: piece.join("\n\n") }));
    });
    for (const trust of ["trusted", "untrusted"]) jupyter.write(`${trust}.ipynb`, shown);
    jupyter.trust(["trusted.ipynb"]);
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

  it.each(["trusted", "untrusted"])(
    "run nothing and request nothing in a %s classic notebook",
    async (trust) => {
      const { page, incidents, close } = await openNotebook(`${trust}.ipynb`);
      // Markup that is not trusted is not shown.
      for (const form of ["html", "markdown", "text"].slice(trust === "trusted" ? 0 : 1))
        expect(await page.locator(`.output_${form}`).count(), form).toBeGreaterThan(0);
      expect(await typeset(page)).toBe(0);
      // The menus of the page itself are left alone.
      await poke(page, ".output_area");
      // The notebook itself makes links of addresses in plain text, and only there.
      const links = page.locator(".output_subarea:not(.output_text) a[href]:not([download])");
      expect(await links.count()).toBe(0);
      expect(incidents).toEqual([]);
      await close();
    },
  );

  it("run nothing and request nothing in nbconvert's page", async () => {
    const html = jupyter.toHtml("trusted.ipynb");
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
