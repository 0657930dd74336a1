// Pictures of every view, as nbconvert and the classic Notebook show them, on light and dark pages:
// contact sheets of the outputs of a notebook that was run.
//
//   node dist/kernel/main.js run --demo -o out.ipynb notebooks/gallery.ipynb
//   node test/browser/pictures.mjs out.ipynb [FOLDER] [--single] [CELL-ID…]
//
// With --single each output becomes a file of its own, to be looked at closely: the picture of the README is the
// cell "list-users" of the tour, at WIDTH=840.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { toPalettePng } from "./palette-png.mjs";

const options = process.argv.slice(2).filter((it) => it.startsWith("--"));
const [notebook = "out.ipynb", folder = "notebooks/pictures", ...named] = process.argv
  .slice(2)
  .filter((it) => !it.startsWith("--"));
// One of each kind; what the gallery shows twice is left out.
const LEFT_OUT = /^(?:base|tsv|latin1|compressed|head|client-error|value|long|part-(?!preview).*)$/;
const WIDTH = Number(process.env.WIDTH ?? 640);
const TALLEST = 240;
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
// What a dark theme sets: JupyterLab's colours, for pages whose own theme is light.
const DARK = `
  html, body, #notebook, #notebook-container, div.cell, .jp-Cell, .jp-OutputArea-output
    { background: #111 !important; color: #e0e0e0 !important }
  .rendered_html, .output_subarea, .output_subarea pre, .jp-RenderedHTMLCommon { color: #e0e0e0 !important }
  .rendered_html tbody tr:nth-child(odd) { background: #181818 !important }
  .rendered_html tbody tr:hover { background: #1d3a44 !important }
  :root { --jp-content-font-color1: #e0e0e0; --jp-layout-color0: #111; --jp-ui-font-color1: #e0e0e0;
    --jp-rendermime-table-row-background: #212121;
    --jp-rendermime-table-row-hover-background: rgba(3,169,244,.2) }`;

const { cells } = JSON.parse(readFileSync(notebook, "utf8"));
const ids = cells.filter((cell) => cell.outputs?.length > 0).map((cell) => cell.id);
const isWanted = (id) => (named.length > 0 ? named.includes(id) : !LEFT_OUT.test(id));
mkdirSync(folder, { recursive: true });
const home = mkdtempSync(join(tmpdir(), "restlab-pictures-"));
const env = { PATH: "/usr/bin:/bin", HOME: home, LANG: "C.UTF-8" };
copyFileSync(notebook, join(home, "gallery.ipynb"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
let server;
try {
  const html = execFileSync(
    "/usr/bin/python3",
    ["-m", "nbconvert", "--to", "html", "--stdout", "gallery.ipynb"],
    { cwd: home, env, encoding: "utf8", maxBuffer: 1e8, stdio: ["ignore", "pipe", "ignore"] },
  );
  const address = await serveNotebook();
  const viewers = {
    nbconvert: { open: (page) => openText(page, html), outputs: ".jp-Cell-outputWrapper" },
    notebook: { open: (page) => openNotebook(page, address), outputs: ".output_wrapper" },
  };
  for (const [viewer, { open, outputs }] of Object.entries(viewers)) {
    for (const theme of ["light", "dark"]) {
      const page = await browser.newPage({
        viewport: { width: viewer === "notebook" ? WIDTH + 190 : WIDTH + 100, height: 900 },
        colorScheme: theme,
      });
      await open(page);
      if (theme === "dark") await page.addStyleTag({ content: DARK });
      const pictures = await takePictures(page, outputs);
      await page.close();
      if (options.includes("--single")) {
        for (const { id, png } of pictures) {
          writeFileSync(join(folder, `${id}-${viewer}-${theme}.png`), png);
        }
      } else await writeSheet(pictures, viewer, theme);
    }
  }
} finally {
  await browser.close();
  server?.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}

async function takePictures(page, selector) {
  const pictures = [];
  // Cells without an output have an empty place for one.
  const areas = [];
  for (const area of await page.$$(selector)) {
    if (((await area.boundingBox())?.height ?? 0) > 4) areas.push(area);
  }
  if (areas.length !== ids.length) {
    throw new Error(`The page shows ${areas.length} outputs, and the notebook has ${ids.length}`);
  }
  for (const [index, area] of areas.entries()) {
    const id = ids[index];
    if (!isWanted(id)) continue;
    await area.scrollIntoViewIfNeeded();
    pictures.push({ id, png: await area.screenshot() });
  }
  return pictures;
}

/** All outputs of one viewer on one page, two beside each other, each below its name. */
async function writeSheet(pictures, viewer, theme) {
  const [back, text] = theme === "dark" ? ["#000", "#ccc"] : ["#ddd", "#222"];
  const figures = pictures.map(
    ({ id, png }) =>
      `<figure style="margin:0 0 8px;break-inside:avoid"><figcaption>${id}</figcaption>` +
      `<div style="max-height:${TALLEST}px;overflow:hidden"><img style="width:100%;display:block" ` +
      `src="data:image/png;base64,${png.toString("base64")}"></div></figure>`,
  );
  const page = await browser.newPage({ viewport: { width: WIDTH * 2 + 24, height: 800 } });
  await page.setContent(
    `<!doctype html><body style="margin:8px;background:${back};color:${text};font:13px sans-serif;` +
      `columns:2;column-gap:8px">${figures.join("")}`,
  );
  const png = await page.screenshot({ fullPage: true });
  await page.close();
  const file = join(folder, `gallery-${viewer}-${theme}.png`);
  const small = toPalettePng(png);
  writeFileSync(file, small);
  console.log(`${file}: ${pictures.length} views, ${Math.round(small.length / 1000)} kB`);
}

async function openText(page, html) {
  await page.route("**/*", (route) =>
    route.request().url() === "http://lab.test/"
      ? route.fulfill({ contentType: "text/html; charset=utf-8", body: html })
      : route.abort(),
  );
  await page.goto("http://lab.test/");
}

async function openNotebook(page, address) {
  await page.goto(`${address}notebooks/gallery.ipynb`);
  await page.waitForSelector("#notebook-container .cell");
  await page.waitForTimeout(4_000);
  // A dialog asks for the kernel, which is not here; the outputs are what is looked at.
  await page.addStyleTag({
    content:
      ".modal, .modal-backdrop, #header, .input { display: none !important } " +
      "#notebook-container { width: 100% !important; padding: 0 !important } " +
      ".prompt, .out_prompt_overlay { display: none !important } " +
      "#site { height: auto !important; overflow: visible !important }",
  });
}

async function serveNotebook() {
  const trust = "from nbformat.sign import TrustNotebookApp; TrustNotebookApp.launch_instance()";
  execFileSync("/usr/bin/python3", ["-c", trust, "gallery.ipynb"], { cwd: home, env });
  const args = ["notebook", "--no-browser", "--ip=127.0.0.1", `--port=${await freePort()}`];
  const open = ["--allow-root", "--NotebookApp.token=", "--NotebookApp.password=", home];
  server = spawn("/usr/bin/jupyter", [...args, ...open], { cwd: home, env });
  let said = "";
  return new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error(`The notebook server ended: ${said}`)));
    server.stderr.on("data", (data) => {
      said += data;
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0];
      if (address !== undefined) resolve(address);
    });
  });
}

function freePort() {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
