// Pictures of every view, as people's programs show them, on light and dark pages, wide and narrow: contact
// sheets of the outputs of a notebook that was run.
//
//   node dist/kernel/main.js run --demo -o out.ipynb notebooks/gallery.ipynb
//   node test/browser/pictures.mjs out.ipynb [FOLDER] [--page | --single] [OPTION…] [CELL-ID…]
//
// --viewer=notebook,jupyterlab,vscode,nbconvert   --theme=light,dark   --width=500,1100   --name=gallery
//
// With --page the picture is what the program shows below the first heading of a section, and with --single each
// cell is a file of its own: the picture of the README is the cell "list-users" of the tour by --viewer=notebook
// --theme=light --width=1100.
// JupyterLab is the program that RESTLAB_JUPYTERLAB names (pip install jupyterlab), and VS Code the one that
// RESTLAB_CODE_SERVER names, with its arguments (npm install code-server).
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { toPalettePng } from "./palette-png.mjs";
import { NOTEBOOK, selectCells, stopServers, VIEWERS } from "./viewers.mjs";

const words = process.argv.slice(2);
const [notebook = "out.ipynb", target = "notebooks/pictures", ...named] = words.filter(
  (it) => !it.startsWith("--"),
);
const isPage = words.includes("--page");
const isSingle = words.includes("--single");
const option = (name, otherwise) =>
  words.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
const viewers = option("viewer", "notebook,jupyterlab,vscode").split(",");
const themes = option("theme", "light,dark").split(",");
const widths = option("width", "500,1100").split(",").map(Number);
const name = option("name", isPage ? "tour" : "gallery");

// One of each kind; what the gallery shows twice is left out.
const LEFT_OUT =
  /^(?:base|tsv|latin1|compressed|head|client-error|value|named|text|form|table-filter|long|part-(?!preview).*)$/;
/** Views that look different on a wide page; a narrow one shows each. */
const WIDE =
  /^(?:rows|tree|json-lines|xml|redirects|warning|body|fault|value-kinds|history|table|chart-vega|display-members|assertions|assertions-failed|expect-failed)$/;
const isWanted = (id, width) => {
  if (named.length > 0) return named.includes(id);
  return width > 640 ? WIDE.test(id) : !LEFT_OUT.test(id);
};
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
/** Shows all cells at once: the programs draw only those that are seen. */
const TALL = 16_000;
const PAGE = 800;
/** What the bars of the programs take of its height. */
const BAR = 130;
const STEP = 120;
/** How much of an output a sheet shows: its width times this. */
const SHOWN = { 500: 0.45, 1100: 0.4 };
const GAP = 6;

mkdirSync(target, { recursive: true });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
try {
  for (const viewer of viewers) for (const width of widths) await takeAll(viewer, width);
} finally {
  await browser.close();
  stopServers();
}

async function takeAll(viewerName, width) {
  const folder = mkdtempSync(join(tmpdir(), "restlab-pictures-"));
  // VS Code shows its name.
  const home = join(folder, "notebooks");
  mkdirSync(home);
  const cells = selectCells(notebook, (id) => isWanted(id, width));
  if (isPage) copyFileSync(notebook, join(home, NOTEBOOK));
  else writeFileSync(join(home, NOTEBOOK), JSON.stringify(cells));
  const viewer = VIEWERS[viewerName]();
  const ids = cells.cells.map(({ id }) => id);
  try {
    await viewer.start(home);
    for (const theme of themes) {
      const file = (first) => join(target, `${first}-${viewerName}-${theme}-${width}.png`);
      const viewport = { width, height: isPage ? PAGE : TALL };
      const page = await browser.newPage({ viewport, colorScheme: theme });
      page.setDefaultTimeout(120_000);
      await viewer.open(page, theme);
      if (isPage) {
        await scrollToRequest(page);
        write(file(name), await page.screenshot());
      } else {
        const pictures = await takeOutputs(page, viewer, ids, width);
        if (isSingle) for (const { id, png } of pictures) write(file(id), png);
        else write(file(name), await drawSheet(pictures, theme, width));
      }
      await page.close();
    }
  } finally {
    stopServers();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Scrolls to the section that shows the first answer. */
async function scrollToRequest(page) {
  await page.mouse.move(300, 400);
  // JupyterLab and VS Code draw only what is seen, and VS Code scrolls a part of what it is told to.
  for (let tries = 0; tries < 40; tries++) {
    const top = await topOfSection(page);
    if (top !== undefined && top < BAR + 20) {
      await page.mouse.move(0, 0);
      await page.waitForTimeout(3_000);
      return;
    }
    await page.mouse.wheel(0, top === undefined ? STEP : top - BAR);
    await page.waitForTimeout(1_500);
  }
  throw new Error("The page shows no heading of a section");
}

/** Where the first heading of a section begins. VS Code draws text in a frame. */
async function topOfSection(page) {
  for (const frame of page.frames()) {
    const heading = frame.locator("h2:visible").first();
    const box = await heading.boundingBox({ timeout: 500 }).catch(() => null);
    if (box !== null) return box.y;
  }
  return undefined;
}

function write(file, png) {
  const small = toPalettePng(png);
  writeFileSync(file, small);
  console.log(`${file}: ${Math.round(small.length / 1000)} kB`);
}

async function takeOutputs(page, viewer, ids, width) {
  let shown = await findOutputs(page, viewer);
  // JupyterLab draws some cells after others.
  for (let tries = 0; tries < 30 && shown.length !== ids.length; tries++) {
    await page.waitForTimeout(1_000);
    shown = await findOutputs(page, viewer);
  }
  if (shown.length !== ids.length) {
    throw new Error(`The page shows ${shown.length} outputs, and the notebook has ${ids.length}`);
  }
  const pictures = [];
  for (const [index, box] of shown.entries()) {
    const height = isSingle ? box.height : Math.min(box.height, box.width * (SHOWN[width] ?? 0.5));
    pictures.push({ id: ids[index], png: await page.screenshot({ clip: { ...box, height } }) });
  }
  return pictures;
}

/** The boxes of the outputs, from top to bottom. */
async function findOutputs(page, { outputs, cells, parts }) {
  // VS Code draws outputs in a frame.
  const selector = (isSingle ? cells : undefined) ?? outputs;
  const areas = (await Promise.all(page.frames().map((frame) => frame.$$(selector)))).flat();
  const boxes = areas.map(async (area) => {
    const drawn = parts === undefined ? [area] : await area.$$(parts);
    return around(await Promise.all(drawn.map((part) => part.boundingBox())));
  });
  const shown = (await Promise.all(boxes)).filter(({ height }) => height > 4);
  return shown.sort((one, other) => one.y - other.y);
}

/** The box around others. */
function around(boxes) {
  const seen = boxes.filter((box) => box !== null && box.height > 0);
  if (seen.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [x, y] = [Math.min(...seen.map((it) => it.x)), Math.min(...seen.map((it) => it.y))];
  const right = Math.max(...seen.map((it) => it.x + it.width));
  const bottom = Math.max(...seen.map((it) => it.y + it.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** All outputs on one page, beside each other, each below its name. */
async function drawSheet(pictures, theme, width) {
  const [back, text] = theme === "dark" ? ["#000", "#ccc"] : ["#ddd", "#222"];
  const [columns, column] = width > 640 ? [2, 580] : [4, 240];
  const figures = pictures.map(
    ({ id, png }) =>
      `<figure style="margin:0 0 ${GAP}px;break-inside:avoid"><figcaption>${id}</figcaption>` +
      `<img style="width:100%;display:block" src="data:image/png;base64,${png.toString("base64")}"></figure>`,
  );
  const page = await browser.newPage({
    viewport: { width: columns * (column + GAP) + GAP, height: 800 },
  });
  await page.setContent(
    `<!doctype html><body style="margin:${GAP}px;background:${back};color:${text};font:12px sans-serif;` +
      `columns:${columns};column-gap:${GAP}px">${figures.join("")}`,
  );
  const png = await page.screenshot({ fullPage: true });
  await page.close();
  return png;
}
