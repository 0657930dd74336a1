import { type ChildProcess, spawn } from "node:child_process";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createJupyterHome, type JupyterHome } from "../jupyter/installed-kernel.ts";
import { hasTools } from "../support/require.ts";
import { FLAGS, freePort } from "./browser.ts";

/** What the classic Notebook calls itself in its own page. */
interface NotebookWindow {
  readonly Jupyter: {
    readonly notebook: {
      _fully_loaded?: boolean;
      execute_all_cells(): void;
      insert_cell_below(type: string): { set_text(text: string): void; execute(): void };
      readonly kernel: {
        is_connected(): boolean;
        interrupt(): void;
        restart(): void;
      };
      kernel_busy?: boolean;
    };
  };
}

describe.skipIf(!hasTools("browser", "jupyter"))("the kernel in the classic Notebook", () => {
  let home: JupyterHome;
  let server: ChildProcess;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    home = await createJupyterHome();
    const port = await freePort();
    const options = ["--no-browser", "--ip=127.0.0.1", `--port=${port}`, "--allow-root"];
    const open = ["--NotebookApp.token=", "--NotebookApp.password="];
    server = spawn("/usr/bin/jupyter", ["notebook", ...options, ...open, home.folder], {
      cwd: home.folder,
      env: home.env,
      stdio: "ignore",
    });
    browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: [...FLAGS],
    });
    page = await browser.newPage({ viewport: { width: 1100, height: 1400 } });
    page.setDefaultTimeout(90_000);
    const tour = home.notebooks.find((path) => path.includes("01-tour")) ?? "";
    const address = `http://127.0.0.1:${port}/notebooks/${basename(tour)}`;
    while (!(await isUp(port))) await new Promise((resolve) => setTimeout(resolve, 100));
    await page.goto(address);
    await page.waitForFunction(() => {
      const { Jupyter } = window as unknown as Partial<NotebookWindow>;
      return Jupyter?.notebook?._fully_loaded === true && Jupyter.notebook.kernel?.is_connected();
    });
  });
  afterAll(async () => {
    await browser?.close();
    server?.kill("SIGTERM");
    await home?.close();
  });

  test("runs all cells and shows the answers as tables", async () => {
    await page.evaluate(() =>
      (window as unknown as NotebookWindow).Jupyter.notebook.execute_all_cells(),
    );
    await page.waitForSelector(".output_png, .output_html img, .rendered_html img");
    const text = await page.innerText("#notebook-container");
    expect(text).toContain("200 OK");
    expect(text).toContain("Ada Lovelace");
    expect(text).toContain("404 Not Found");
    expect(await page.locator(".output_html table th[scope=col]").count()).toBeGreaterThan(5);
    if (process.env["RESTLAB_PICTURES"] !== undefined) {
      await page.screenshot({ path: `${process.env["RESTLAB_PICTURES"]}/notebook.png` });
    }
  });

  test("highlights cells as TypeScript", async () => {
    await runCell("const one: number = 1; type Name = string; `${one} ran`");
    await expect.poll(lastOutput).toContain("1 ran");
    const words = page.locator(".code_cell").last().locator(".CodeMirror-line span[class^=cm]");
    await expect
      .poll(async () =>
        words.evaluateAll((all) => all.map((it) => `${it.className} ${it.textContent}`)),
      )
      .toEqual(
        expect.arrayContaining([
          "cm-keyword const",
          // What plain JavaScript does not know.
          "cm-type number",
          "cm-keyword type",
        ]),
      );
  });

  test("runs no script of an answer that has our markup masked", async () => {
    const attack = "x autofocus tabindex=1 onfocus=pwned=1 y";
    const answers = createHttpServer((_, response) => {
      response.setHeader("X-Auth-Token", '"text-align:left">');
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ ok: attack, token: { [attack]: '"text-align:left">' } }));
    });
    await new Promise<void>((done) => answers.listen(0, "127.0.0.1", done));
    const { port } = answers.address() as AddressInfo;
    await runCell(`# @name login\nGET http://127.0.0.1:${port}/`);
    await expect.poll(lastOutput).toContain("200 OK");
    // The key is named in the placeholder of an honest answer as well.
    await runCell('"the secret: \\"text-align:left\\">"');
    await expect.poll(lastOutput).toContain("the secret");
    expect(await page.locator(".output_area [onfocus], .output_area [autofocus]").count()).toBe(0);
    expect(await page.evaluate(() => "pwned" in window)).toBe(false);
    answers.close();
  });

  test("interrupts an endless loop and goes on with the state", async () => {
    await runCell("let kept = 41; console.log('runs'); while (true) {}");
    await expect.poll(lastOutput).toContain("runs");
    await page.evaluate(() =>
      (window as unknown as NotebookWindow).Jupyter.notebook.kernel.interrupt(),
    );
    await expect.poll(lastOutput).toMatch(/[Ii]nterrupt/);
    await runCell("client.last.status");
    await expect.poll(lastOutput).toContain("200");
  });

  test("cells behind one that failed show no number", async () => {
    const prompts = async (): Promise<readonly string[]> => {
      const all = await page.locator(".code_cell .input_prompt").allInnerTexts();
      return all.slice(-3).map((text) => text.replaceAll(/\s/g, " "));
    };
    // The others have come by the time it fails.
    const failing = "await new Promise((done) => setTimeout(done, 1000)); throw new Error('first')";
    for (const code of [failing, "'second'", "'third'"]) await runCell(code);
    const given = [expect.stringMatching(/In \[\d+\]:/), "In [ ]:", "In [ ]:"];
    await expect.poll(prompts).toEqual(given);
  });

  test("restarts with nothing kept", async () => {
    await page.evaluate(() =>
      (window as unknown as NotebookWindow).Jupyter.notebook.kernel.restart(),
    );
    await page.waitForFunction(() =>
      (window as unknown as NotebookWindow).Jupyter.notebook.kernel.is_connected(),
    );
    await runCell('client.hasVar("page")');
    await expect.poll(lastOutput).toContain("false");
  });

  async function runCell(text: string): Promise<void> {
    await page.evaluate((source) => {
      const { notebook } = (window as unknown as NotebookWindow).Jupyter;
      const cells = document.querySelectorAll(".code_cell").length;
      const cell = (
        notebook as unknown as {
          insert_cell_at_bottom(type: string): { set_text(text: string): void; execute(): void };
        }
      ).insert_cell_at_bottom("code");
      cell.set_text(source);
      cell.execute();
      return cells;
    }, text);
  }

  async function lastOutput(): Promise<string> {
    return await page.locator(".code_cell").last().locator(".output").innerText();
  }
});

async function isUp(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api`)).ok;
  } catch {
    return false; // Not listening yet.
  }
}
