// Opens a notebook in the programs that people read notebooks with, for pictures.mjs.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";

const JUPYTERLAB = process.env.RESTLAB_JUPYTERLAB ?? "/usr/bin/jupyter-lab";
const CODE_SERVER = (process.env.RESTLAB_CODE_SERVER ?? "code-server").split(" ");
const LOCAL = ["--no-browser", "--ip=127.0.0.1", "--allow-root"];

// What a dark theme sets: JupyterLab's colours, for pages whose own theme is light.
const DARK = `
  html, body, #notebook, #notebook-container, div.cell, .jp-Cell, .jp-OutputArea-output
    { background: #111 !important; color: #e0e0e0 !important }
  .rendered_html, .output_subarea, .output_subarea pre, .jp-RenderedHTMLCommon { color: #e0e0e0 !important }
  .rendered_html tbody tr:nth-child(odd) { background: #181818 !important }
  .rendered_html tbody tr:hover { background: #1d3a44 !important }
  div.input_area { background: #1b1b1b !important; border-color: #333 !important }
  .CodeMirror, .CodeMirror pre, .rendered_html code, .rendered_html pre
    { background: transparent !important; color: #e0e0e0 !important }
  .cm-keyword, .cm-tag { color: #66bb6a !important } .cm-string { color: #ff8a80 !important }
  .cm-def, .cm-variable-2, .cm-variable-3, .cm-attribute { color: #82b1ff !important }
  .cm-variable, .cm-property, .cm-bracket, .cm-punctuation { color: #e0e0e0 !important }
  .cm-operator { color: #ce93d8 !important } .cm-number, .cm-atom { color: #b9e08a !important }
  .cm-comment { color: #90a4ae !important } .rendered_html a { color: #82b1ff !important }
  :root { --jp-content-font-color1: #e0e0e0; --jp-layout-color0: #111; --jp-ui-font-color1: #e0e0e0;
    --jp-rendermime-table-row-background: #212121;
    --jp-rendermime-table-row-hover-background: rgba(3,169,244,.2) }`;

/**
 * @typedef {object} Viewer
 * @property {(home: string) => Promise<unknown>} start Starts its server, if it has one, in a folder with NOTEBOOK.
 * @property {(page: import("playwright-core").Page, theme: string) => Promise<unknown>} open
 * @property {string} outputs Selects the outputs of a cell, all of them together.
 * @property {string} [cells] Selects whole cells, for pictures of one.
 * @property {string} [parts] Selects each of them, where only they have a size.
 */

/** The name of the notebook in the folder that the viewers serve. */
export const NOTEBOOK = "pictures.ipynb";

/** @type {Record<string, () => Viewer>} */
export const VIEWERS = { nbconvert, notebook, jupyterlab, vscode };

const servers = [];

/** Ends the servers of all viewers. */
export function stopServers() {
  for (const server of servers.splice(0)) server.kill("SIGKILL");
}

function nbconvert() {
  let html = "";
  return {
    start: async (home) => {
      const args = ["-m", "nbconvert", "--to", "html", "--stdout", NOTEBOOK];
      html = python(home, args);
    },
    open: async (page, theme) => {
      await page.route("**/*", (route) =>
        route.request().url() === "http://lab.test/"
          ? route.fulfill({ contentType: "text/html; charset=utf-8", body: html })
          : route.abort(),
      );
      await page.goto("http://lab.test/");
      if (theme === "dark") await page.addStyleTag({ content: DARK });
    },
    outputs: ".jp-Cell-outputWrapper",
  };
}

function notebook() {
  let address = "";
  return {
    start: async (home) => {
      install(home);
      const open = ["--NotebookApp.token=", "--NotebookApp.password="];
      address = await startJupyter(home, "/usr/bin/jupyter", ["notebook", ...open]);
    },
    open: async (page, theme) => {
      await page.goto(`${address}/notebooks/${NOTEBOOK}`);
      await page.waitForSelector("#notebook-container .cell");
      await page.waitForSelector(".kernel_idle_icon", { state: "attached" });
      const whole =
        "#header { display: none !important } #notebook-container { width: 100% !important; padding: 0 !important } " +
        "#site { height: auto !important; overflow: visible !important }";
      await page.addStyleTag({ content: theme === "dark" ? whole + DARK : whole });
    },
    outputs: ".output_wrapper",
    cells: ".code_cell",
  };
}

function jupyterlab() {
  let address = "";
  let settings = "";
  const set = (name, values) => {
    const file = join(settings, "@jupyterlab", `${name}.jupyterlab-settings`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(values));
  };
  return {
    start: async (home) => {
      install(home);
      settings = join(home, ".jupyter/lab/user-settings");
      set("apputils-extension/notification", { fetchNews: "false", checkForUpdates: false });
      const open = ["--IdentityProvider.token=", "--ServerApp.password="];
      address = await startJupyter(home, JUPYTERLAB, open);
    },
    open: async (page, theme) => {
      const name = theme === "dark" ? "JupyterLab Dark" : "JupyterLab Light";
      set("apputils-extension/themes", { theme: name });
      // One document without the workspace, which would open those before it again.
      await page.goto(`${address}/doc/tree/${NOTEBOOK}`);
      await page.waitForSelector(".jp-Toolbar [data-status=idle]", { state: "attached" });
      await page.waitForSelector(`body[data-jp-theme-light=${theme !== "dark"}]`, {
        state: "attached",
      });
      // The language of requests is loaded when the first cell needs it.
      await page.waitForSelector(".jp-CodeCell .cm-line span[class]", { state: "attached" });
      await page.waitForSelector(".jp-Toolbar [data-status=idle]", { state: "attached" });
    },
    outputs: ".jp-CodeCell .jp-Cell-outputWrapper",
  };
}

function vscode() {
  let folder = "";
  let port = 0;
  return {
    start: async (home) => {
      install(home);
      folder = home;
      port = await freePort();
      const [program, ...before] = CODE_SERVER;
      const folders = [
        "--user-data-dir",
        join(home, "code"),
        "--extensions-dir",
        join(home, "ext"),
      ];
      const vsix = join(home, ".local/share/jupyter/kernels/restlab/restlab.vsix");
      const env = { ...process.env, HOME: home };
      const all = [...before, ...folders];
      execFileSync(program, [...all, "--install-extension", vsix], { env, stdio: "ignore" });
      const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
      const listen = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`];
      servers.push(spawn(program, [...all, ...listen, ...quiet, home], { env, stdio: "ignore" }));
      await isListening(`http://127.0.0.1:${port}/healthz`);
    },
    open: async (page, theme) => {
      const settings = {
        "workbench.colorTheme": theme === "dark" ? "Default Dark Modern" : "Default Light Modern",
        "workbench.editorAssociations": { "*.ipynb": "jupyter-notebook" },
        "workbench.startupEditor": "none",
        "workbench.secondarySideBar.defaultVisibility": "hidden",
        "workbench.activityBar.location": "hidden",
        "security.workspace.trust.enabled": false,
        "chat.disableAIFeatures": true,
        "window.commandCenter": false,
      };
      mkdirSync(join(folder, "code/User"), { recursive: true });
      writeFileSync(join(folder, "code/User/settings.json"), JSON.stringify(settings));
      const file = `vscode-remote://127.0.0.1:${port}${folder}/${NOTEBOOK}`;
      const payload = encodeURIComponent(JSON.stringify([["openFile", file]]));
      await page.goto(`http://127.0.0.1:${port}/?folder=${folder}&payload=${payload}`);
      await outputsAreDrawn(page);
      // The side bar.
      await page.keyboard.press("Control+B");
      await page.waitForTimeout(3_000);
      await outputsAreDrawn(page);
    },
    outputs: ".cell_container:has(.output_container)",
    // The containers have no height.
    parts: ".output",
  };
}

/** VS Code draws outputs in a frame, some after others. */
async function outputsAreDrawn(page) {
  for (let last = 0; ; ) {
    await page.waitForTimeout(5_000);
    const frames = page.frames().map((frame) => frame.locator(".output_container").count());
    const count = Math.max(...(await Promise.all(frames.map((it) => it.catch(() => 0)))));
    if (count > 0 && count === last) return;
    last = count;
  }
}

function install(home) {
  const program = resolve(import.meta.dirname, "../../dist/kernel/main.js");
  execFileSync(process.execPath, [program, "install"], { env: envOf(home), stdio: "ignore" });
}

async function startJupyter(home, program, args) {
  const trust = "from nbformat.sign import TrustNotebookApp; TrustNotebookApp.launch_instance()";
  python(home, ["-c", trust, NOTEBOOK]);
  const port = await freePort();
  const all = [...args, ...LOCAL, `--port=${port}`];
  servers.push(spawn(program, all, { cwd: home, env: envOf(home), stdio: "ignore" }));
  const address = `http://127.0.0.1:${port}`;
  await isListening(`${address}/api`);
  return address;
}

function python(home, args) {
  const options = { encoding: "utf8", maxBuffer: 1e8, stdio: ["ignore", "pipe", "ignore"] };
  return execFileSync("/usr/bin/python3", args, { cwd: home, env: envOf(home), ...options });
}

const envOf = (home) => ({ PATH: "/usr/bin:/bin", HOME: home, LANG: "C.UTF-8" });

async function isListening(url) {
  for (;;) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((next) => setTimeout(next, 200));
  }
}

function freePort() {
  const probe = createServer();
  return new Promise((done) => {
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** The cells of a notebook that have outputs and are wanted, as a notebook of their own. */
export function selectCells(file, isWanted) {
  const { cells, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  const wanted = cells.filter(({ id, outputs }) => outputs?.length > 0 && isWanted(id));
  return { ...rest, cells: wanted };
}
