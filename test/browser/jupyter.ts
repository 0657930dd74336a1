import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import type { MimeBundle } from "../../lib/mod.ts";
import { freePort, type Serve } from "./browser.ts";

const JUPYTER = "/usr/bin/jupyter";
// What `jupyter trust` calls, which Debian leaves out.
const TRUST = "from nbformat.sign import TrustNotebookApp; TrustNotebookApp.launch_instance()";
const SCRIPTS = "/usr/share/javascript/";

/** A folder with notebooks, and Jupyter's programs with a home of their own in it. */
export interface JupyterFolder {
  readonly folder: string;
  /** Writes a notebook with one cell for each bundle. */
  write(name: string, bundles: readonly Readonly<Record<string, unknown>>[]): void;
  /** Signs notebooks, as those that were run here are. */
  trust(names: readonly string[]): void;
  /** What nbconvert makes of a notebook. */
  toHtml(name: string): string;
  toMarkdown(name: string): string;
  /** Starts a notebook server and returns its address. */
  serve(): Promise<string>;
  close(): void;
}

/** Makes such a folder. */
export function createJupyterFolder(): JupyterFolder {
  const folder = mkdtempSync(join(tmpdir(), "restlab-jupyter-"));
  const inside = (name: string): string => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: folder,
    JUPYTER_CONFIG_DIR: inside("config"),
    JUPYTER_DATA_DIR: inside("data"),
    JUPYTER_RUNTIME_DIR: inside("runtime"),
    LANG: "C.UTF-8",
  };
  const convert = (name: string, form: string): string =>
    execFileSync("/usr/bin/python3", ["-m", "nbconvert", "--to", form, "--stdout", name], {
      cwd: folder,
      env,
      encoding: "utf8",
      maxBuffer: 100_000_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
  let server: ChildProcess | undefined;
  return {
    folder,
    write: (name, bundles) => writeFileSync(join(folder, name), toNotebook(bundles)),
    trust: (names) => {
      const args = ["-c", TRUST, ...names];
      execFileSync("/usr/bin/python3", args, { cwd: folder, env, stdio: "ignore" });
    },
    toHtml: (name) => convert(name, "html"),
    toMarkdown: (name) => convert(name, "markdown"),
    serve: async () => {
      const options = [
        "--no-browser",
        "--ip=127.0.0.1",
        `--port=${await freePort()}`,
        "--allow-root",
      ];
      const open = ["--NotebookApp.token=", "--NotebookApp.password="];
      const args = ["notebook", ...options, ...open, folder];
      server = spawn(JUPYTER, args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
      return addressOf(server);
    },
    close: () => {
      server?.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stderr?.setEncoding("utf8");
    server.stderr?.on("data", (text: string) => {
      said += text;
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0];
      if (address !== undefined) resolve(address);
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`The notebook server ended: ${said}`)));
  });
}

// An editor for each of a thousand cells would take the page minutes.
const OUTPUTS_A_CELL = 50;

/** A list in pieces of so many items. */
export function pieces<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** A notebook whose cells have these outputs; a restlab kernel is named, and not needed to look. */
export function toNotebook(
  bundles: readonly (MimeBundle | Readonly<Record<string, unknown>>)[],
): string {
  const cells = pieces(bundles, OUTPUTS_A_CELL).map((piece, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    execution_count: index + 1,
    metadata: {},
    source: `// ${index}`,
    outputs: piece.map((data) => ({ output_type: "display_data", metadata: {}, data })),
  }));
  const metadata = {
    kernelspec: { name: "none", display_name: "None", language: "typescript" },
    language_info: { name: "typescript" },
  };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
}

/** Serves a page of nbconvert with the scripts that Debian's has it load from the disk. */
export function serveConverted(html: string): Serve {
  // MathJax without its safe mode is the harder trial.
  const page = html
    .replaceAll(`file://${SCRIPTS}`, "/scripts/")
    .replace("CHTML-full,Safe", "CHTML-full");
  return ({ hostname, pathname }) => {
    if (hostname !== "lab.test") return undefined;
    if (!pathname.startsWith("/scripts/"))
      return { contentType: "text/html; charset=utf-8", body: page };
    const file = normalize(join(SCRIPTS, decodeURI(pathname.slice("/scripts/".length))));
    if (!file.startsWith(SCRIPTS) || !existsSync(file)) return undefined;
    const contentType = file.endsWith(".js") ? "text/javascript" : "application/octet-stream";
    return { contentType, body: readFileSync(file) };
  };
}
