import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createJupyterHome, type JupyterHome } from "../jupyter/installed-kernel.ts";
import { hasTools, TOOLS } from "../support/require.ts";
import { FLAGS, freePort } from "./browser.ts";

/** The first notebooks that have between them every kind of cell and of output: each starts a kernel. */
const seen = new Set<string>();
const NOTEBOOKS = readdirSync("notebooks")
  .filter((name) => name.endsWith(".ipynb"))
  .filter((name) => {
    const known = seen.size;
    for (const kind of kindsIn(name)) seen.add(kind);
    return seen.size > known;
  });

interface Cell {
  readonly cell_type: string;
  readonly metadata: object;
  readonly outputs?: readonly { readonly output_type: string; readonly data?: object }[];
}

function kindsIn(name: string): readonly string[] {
  const cells: readonly Cell[] = JSON.parse(readFileSync(join("notebooks", name), "utf8")).cells;
  return cells.flatMap(({ cell_type, metadata, outputs = [] }) => [
    `${cell_type} ${JSON.stringify(metadata)}`,
    ...outputs.map(({ output_type, data = {} }) => `${output_type} ${Object.keys(data)}`),
  ]);
}

interface FrontEnd {
  readonly name: string;
  readonly command: readonly string[];
  /** Before the name of a notebook. */
  readonly path: string;
  /** A line of a code cell. */
  readonly line: string;
  isReady(page: Page): Promise<unknown>;
  save(page: Page): Promise<unknown>;
}

const CLASSIC: FrontEnd = {
  name: "the classic Notebook",
  command: [TOOLS.jupyter, "notebook", "--NotebookApp.token=", "--NotebookApp.password="],
  path: "notebooks/",
  line: ".code_cell .CodeMirror-line",
  isReady: (page) => page.waitForSelector(".kernel_idle_icon", { state: "attached" }),
  save: (page) => page.click("#save-notbook button"),
};

const LAB: FrontEnd = {
  name: "JupyterLab",
  command: [TOOLS.jupyterlab, "--IdentityProvider.token=", "--ServerApp.password="],
  // One document without the workspace, which would open those before it again.
  path: "doc/tree/",
  line: ".jp-CodeCell .cm-line",
  isReady: (page) => page.waitForSelector(".jp-Toolbar [data-status=idle]", { state: "attached" }),
  save: (page) => page.click('.jp-Toolbar [data-command="docmanager:save"]:visible'),
};

// Debian has no JupyterLab, so a test for want of it is left out and not skipped.
const FRONT_ENDS = [CLASSIC, ...(hasTools("jupyterlab") ? [LAB] : [])];

describe.skipIf(!hasTools("browser", "jupyter")).each(FRONT_ENDS)("$name", (frontEnd) => {
  let home: JupyterHome;
  let server: ChildProcess;
  let browser: Browser;
  let address: string;
  let folder: string;

  beforeAll(async () => {
    home = await createJupyterHome();
    folder = join(home.folder, "shipped");
    mkdirSync(folder);
    for (const name of NOTEBOOKS) copyFileSync(join("notebooks", name), join(folder, name));
    const port = await freePort();
    const [program = "", ...args] = frontEnd.command;
    const options = ["--no-browser", "--ip=127.0.0.1", `--port=${port}`, "--allow-root"];
    server = spawn(program, [...args, ...options], { cwd: folder, env: home.env, stdio: "ignore" });
    browser = await chromium.launch({ executablePath: TOOLS.browser, args: [...FLAGS] });
    address = `http://127.0.0.1:${port}/`;
    while (!(await isUp(address))) await new Promise((resolve) => setTimeout(resolve, 100));
  });
  afterAll(async () => {
    await browser?.close();
    server?.kill("SIGTERM");
    await home?.close();
  });

  async function open(name: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 1400 } });
    page.setDefaultTimeout(90_000);
    await page.goto(`${address}${frontEnd.path}${name}`);
    await page.waitForSelector(frontEnd.line);
    await frontEnd.isReady(page);
    return page;
  }

  /** The words of the line with this text that are highlighted, with their styles. */
  async function wordsOf(page: Page, text: string): Promise<Readonly<Record<string, string>>> {
    const line = page.locator(frontEnd.line, { hasText: text }).first();
    const words = await line
      .locator("span[class]")
      .evaluateAll((all) => all.map((word) => [word.textContent, word.className] as const));
    return Object.fromEntries(words);
  }

  test("highlights requests as HTTP and other cells as TypeScript", async () => {
    const page = await open("01-tour.ipynb");
    const words = () => wordsOf(page, "GET {{base}}/users?limit=");
    await expect.poll(words).toHaveProperty("GET");
    const request = await words();
    expect(Object.keys(request)).toEqual(
      expect.arrayContaining(["GET", "{{base}}", "/users?limit=", "{{page.limit}}"]),
    );
    const code = await wordsOf(page, 'client.setVar("page"');
    const keyword = await wordsOf(page, "await client.send");
    expect(keyword["await"]).toBe(request["GET"]);
    expect(code['"page"']).toBe(request["/users?limit="]);
    // The header has a style of its own, and its value that of a string.
    const header = await wordsOf(page, "Accept: application/json");
    expect(header["Accept"]).toBeDefined();
    expect(Object.values(header).at(-1)).toBe(code['"page"']);
    // The keys and values of a JSON body.
    const body = await wordsOf(page, '"role": "editor"');
    expect(body['"editor"']).toBe(code['"page"']);
    expect(body['"role"']).not.toBe(body['"editor"']);
    await page.close();
  });

  test.each(NOTEBOOKS)("saves %s as it was", async (name) => {
    const file = join(folder, name);
    const page = await open(name);
    const { mtimeMs } = statSync(file);
    await frontEnd.save(page);
    await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(mtimeMs);
    // The server empties the file before it writes it.
    const saved = expect.poll(() => readFileSync(file, "utf8"));
    await saved.toBe(readFileSync(join("notebooks", name), "utf8"));
    await page.close();
  });

  test("works without the files of the installation", async () => {
    const data = home.env["JUPYTER_DATA_DIR"] ?? "";
    rmSync(join(data, "labextensions"), { recursive: true });
    rmSync(join(data, "kernels/restlab/kernel.js"));
    const page = await open("01-tour.ipynb");
    expect(await page.locator(frontEnd.line).first().innerText()).toContain("%demo");
    await page.close();
  });
});

async function isUp(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}api`)).ok;
  } catch {
    return false; // Not listening yet.
  }
}
