import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startDemo } from "../../kernel/demo/mod.ts";
import type { Demo } from "../../kernel/demo/serve.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** A home folder with the kernel installed for Debian's Jupyter, and the embedded API. */
export interface JupyterHome {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The project's notebooks, with the address of the embedded API. */
  readonly notebooks: readonly string[];
  /** Runs a program to its end and returns what it printed. */
  run(file: string, args: readonly string[]): Promise<{ status: number | null; output: string }>;
  close(): Promise<void>;
}

/** Installs the kernel with `restlab install`. */
export async function createJupyterHome(): Promise<JupyterHome> {
  const folder = mkdtempSync(join(tmpdir(), "restlab-jupyter-"));
  const demo = await startDemo({ port: 0 });
  const env = {
    // Debian's own Python: Jupyter's packages are there.
    PATH: "/usr/bin:/bin",
    HOME: folder,
    // Without the cache of the user each kernel would compile TypeScript again.
    XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
    JUPYTER_CONFIG_DIR: join(folder, "config"),
    JUPYTER_DATA_DIR: join(folder, "data"),
    JUPYTER_RUNTIME_DIR: join(folder, "runtime"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
  };
  for (const name of ["config", "data", "runtime"]) mkdirSync(join(folder, name));
  const command = [join(ROOT, "dist/kernel/main.js"), "install"];
  execFileSync(process.execPath, command, { cwd: folder, env, stdio: "pipe" });
  return {
    folder,
    env,
    notebooks: copyNotebooks(folder, demo),
    run: (file, args) =>
      new Promise((done, reject) => {
        const child = spawn(file, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding("utf8").on("data", (text: string) => {
            output += text;
          });
        }
        child.on("error", reject);
        child.on("close", (status) => done({ status, output }));
      }),
    close: async () => {
      await demo.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function copyNotebooks(folder: string, demo: Demo): readonly string[] {
  const names = readdirSync(join(ROOT, "notebooks")).filter((name) => name.endsWith(".ipynb"));
  return names.map((name) => {
    const text = readFileSync(join(ROOT, "notebooks", name), "utf8");
    const path = join(folder, name);
    writeFileSync(path, text.replaceAll("http://127.0.0.1:8787", demo.url));
    return path;
  });
}
