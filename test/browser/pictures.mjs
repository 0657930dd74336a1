// Pictures of a notebook's outputs, as nbconvert shows them, on a light and on a dark page.
//
//   node dist/kernel/main.js run --demo -o out.ipynb notebooks/gallery.ipynb
//   node test/browser/pictures.mjs out.ipynb FOLDER [CELL-ID…]
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [notebook = "out.ipynb", folder = "pictures", ...wanted] = process.argv.slice(2);
const { cells } = JSON.parse(readFileSync(notebook, "utf8"));
const ids = cells.filter((cell) => cell.outputs?.length > 0).map((cell) => cell.id);
const html = execFileSync(
  "/usr/bin/python3",
  ["-m", "nbconvert", "--to", "html", "--stdout", notebook],
  { encoding: "utf8", maxBuffer: 1e8, stdio: ["ignore", "pipe", "ignore"] },
);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
for (const theme of ["light", "dark"]) {
  const page = await browser.newPage({ viewport: { width: 860, height: 700 } });
  await page.route("**/*", (route) =>
    route.request().url() === "http://lab.test/"
      ? route.fulfill({ contentType: "text/html; charset=utf-8", body: html })
      : route.abort(),
  );
  await page.goto("http://lab.test/");
  // The colours of JupyterLab's dark theme; nbconvert's own is the light one.
  if (theme === "dark") {
    await page.addStyleTag({
      content:
        "body, .jp-OutputArea-output, .jp-Cell { background: #111 !important; color: #e0e0e0 !important }" +
        ":root { --jp-content-font-color1: #e0e0e0; --jp-layout-color0: #111; --jp-ui-font-color1: #e0e0e0; --jp-rendermime-table-row-background: #212121; --jp-rendermime-table-row-hover-background: rgba(3,169,244,.2) }",
    });
  }
  const outputs = await page.$$(".jp-Cell-outputWrapper");
  for (const [index, output] of outputs.entries()) {
    const id = ids[index] ?? String(index);
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    await output.screenshot({ path: join(folder, `${id}-${theme}.png`) });
  }
  await page.close();
}
await browser.close();
