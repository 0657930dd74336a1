import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isExchange, renderBundle } from "../../lib/display/mod.ts";
import { EVERY_VIEW } from "../display/every-view.ts";
import { sampleExchange } from "../display/sample.ts";
import { hasTools, TOOLS } from "../support/require.ts";
import { FLAGS } from "./browser.ts";

/** An answer with all the sections there are. */
const WHOLE = sampleExchange('[{"id":1,"name":"Ada"}]', undefined, {
  headers: new Headers([
    ["content-type", "application/json"],
    ["set-cookie", "sid=abc; Path=/; HttpOnly"],
    ["x-long", "a long value ".repeat(40)],
  ]),
  request: {
    ...sampleExchange("").request,
    method: "POST",
    headers: [["content-type", "application/json"]],
    body: '{"name":"Ada","tags":["a","b"]}',
  },
});
const ANSWERS = Object.entries({ ...EVERY_VIEW, "all sections": WHOLE }).filter(([, value]) =>
  isExchange(value),
);

/** What each section of a page is like when it is opened. */
interface Opened {
  readonly title: string;
  /** The sections of its row that are open. */
  readonly open: number;
  /** The width of its content, as a share of that of the row. */
  readonly share: number;
  /** Whether its content begins below all titles. */
  readonly isBelow: boolean;
  /** The cells of text that are narrower than their first word. */
  readonly narrow: readonly string[];
}

const OPEN_EACH = `[...document.querySelectorAll("details[name] > summary")].map((summary) => {
  const details = summary.parentElement;
  const row = details.parentElement;
  if (!details.open) summary.click();
  const content = summary.nextElementSibling;
  const box = content.getBoundingClientRect();
  const titles = [...row.querySelectorAll(":scope > details > summary")];
  const bottom = Math.max(...titles.map((it) => it.getBoundingClientRect().bottom));
  const cells = [...content.querySelectorAll("td, th, pre")].filter((it) => /\\S{4}/.test(it.textContent));
  return {
    title: summary.textContent,
    open: row.querySelectorAll(":scope > details[open]").length,
    share: box.width / row.getBoundingClientRect().width,
    isBelow: box.top >= bottom - 1,
    narrow: cells.filter((it) => it.getBoundingClientRect().width < 20).map((it) => it.textContent),
  };
})`;

describe.skipIf(!hasTools("browser"))("the sections of an answer", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: TOOLS.browser, args: [...FLAGS] });
  });
  afterAll(() => browser.close());

  test.each([500, 1100, 1600])(
    "are as wide as the page of %i px when they are opened, one at a time",
    async (width) => {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      for (const [name, value] of ANSWERS) {
        await page.setContent(`<!doctype html>${renderBundle(value)["text/html"]}`);
        const sections = await page.evaluate<readonly Opened[]>(OPEN_EACH);
        expect(sections.length, name).toBeGreaterThan(0);
        for (const { title, ...opened } of sections) {
          expect(opened, `${title} of ${name}`).toEqual({
            open: 1,
            share: 1,
            isBelow: true,
            narrow: [],
          });
        }
        const overflow = await page.evaluate<number>(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        expect(overflow, name).toBe(0);
      }
      await page.close();
    },
  );
});
