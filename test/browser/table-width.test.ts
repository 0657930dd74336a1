import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUsersApi } from "../../kernel/demo/api.ts";
import { renderBundle } from "../../lib/display/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { hasTools, TOOLS } from "../support/require.ts";
import { FLAGS } from "./browser.ts";

/** What front ends take from the width of an output, measured, and their padding of table cells. */
const FRONT_ENDS = [
  { name: "JupyterLab", besides: 188, padding: "0.5em" },
  { name: "VS Code", besides: 88, padding: "4px 8px" },
  { name: "the classic Notebook", besides: 130, padding: "0.5em" },
];

describe.skipIf(!hasTools("browser"))("the table of the tour", () => {
  let browser: Browser;
  let output: string;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: TOOLS.browser, args: [...FLAGS] });
    const api = createUsersApi();
    const client = createClient({
      fetch: async (input, init) => api.fetch(new Request(input, init)),
    });
    const url = "http://127.0.0.1:8787/users?limit=5&offset=0&filter=math";
    output = renderBundle(await client.send(`GET ${url}`))["text/html"] ?? "";
  });
  afterAll(() => browser.close());

  async function open(
    width: number,
    { besides, padding } = { besides: 0, padding: "4px" },
    shown = output,
  ) {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.setContent(
      `<!doctype html><style>body { margin: 0; padding-left: ${besides}px; font: 14px/1.3 sans-serif }
        table { font-size: 13px } td, th { padding: ${padding} } h4 { font-size: 1.2em }</style>${shown}`,
    );
    return page;
  }

  /** The texts of these cells that take more than a line. */
  function wrapped(page: Page, selector: string): Promise<readonly string[]> {
    return page.locator(selector).evaluateAll((cells) =>
      cells
        .filter((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          // A place to break at makes a rectangle of its own.
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          return new Set(tops).size > 1;
        })
        .map((cell) => cell.textContent ?? ""),
    );
  }

  const overflow = (page: Page, selector: string): Promise<number> =>
    page
      .locator(selector)
      .evaluateAll((all) =>
        Math.max(...all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)),
      );

  test.each(FRONT_ENDS)(
    "fits 1,100 px in $name, with one line for each plain value",
    async (it) => {
      const page = await open(1100, it);
      expect(await overflow(page, "html, div[tabindex]")).toBe(0);
      expect(await wrapped(page, "div[tabindex] td[style*=string]")).toEqual([]);
      // A time of three digits needs the room that a larger font would take.
      const sizes = await page
        .locator("h4")
        .evaluate((heading) =>
          [heading, document.body].map((element) => getComputedStyle(element).fontSize),
        );
      expect(sizes).toEqual(["14px", "14px"]);
      await page.close();
    },
  );

  test("scrolls by itself on 500 px, and the status does not", async () => {
    const page = await open(500, { besides: 80, padding: "0.5em" });
    expect(await overflow(page, "html")).toBe(0);
    expect(await overflow(page, "h4")).toBe(0);
    expect(await overflow(page, "div[tabindex]")).toBeGreaterThan(0);
    expect(await wrapped(page, "div[tabindex] td")).toEqual([]);
    await page.close();
  });

  test("fits on paper", async () => {
    // A4 with the margins of a browser.
    const page = await open(718);
    await page.emulateMedia({ media: "print" });
    expect(await overflow(page, "html, div[tabindex]")).toBe(0);
    await page.close();
  });

  test("with 20 columns scrolls on a page, and is whole on paper", async () => {
    const row = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `column${at}`,
        at % 3 === 0
          ? at * 1_000_000
          : at % 3 === 1
            ? `some words and more words ${at}`
            : "2026-11-23T13:24:25Z",
      ]),
    );
    // Some front ends set the style of rows and cells, and others do not.
    for (const styles of ["", "<style>td, th, tr { white-space: normal }</style>"]) {
      const page = await open(718, undefined, styles + renderBundle([row, row])["text/html"]);
      expect(await overflow(page, "html")).toBe(0);
      expect(await overflow(page, "div[tabindex]")).toBeGreaterThan(0);
      expect(await wrapped(page, "td")).toEqual([]);
      await page.emulateMedia({ media: "print" });
      expect(await overflow(page, "html, div[tabindex]")).toBe(0);
      await page.close();
    }
  });
});
