import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spawn as spawnTerminal } from "@lydell/node-pty";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasTools } from "../support/require.ts";
import { createJupyterHome, type JupyterHome } from "./installed-kernel.ts";

const PYTHON = "/usr/bin/python3";
const PEERS = join(import.meta.dirname, "peers");

describe.skipIf(!hasTools("jupyter"))("the installed kernel in Debian's Jupyter", () => {
  let home: JupyterHome;
  beforeAll(async () => {
    home = await createJupyterHome();
  });
  afterAll(() => home.close());

  test("passes jupyter_kernel_test", { timeout: 240_000 }, async () => {
    const { status, output } = await home.run(PYTHON, [join(PEERS, "kernel_test.py"), "-v"]);
    expect(output).toMatch(/^OK/m);
    expect(status).toBe(0);
  });

  test("runs the notebooks in nbclient, is interrupted, restarts, ends", {
    timeout: 240_000,
  }, async () => {
    const { status, output } = await home.run(PYTHON, [
      join(PEERS, "client_test.py"),
      ...home.notebooks,
    ]);
    expect(output).toContain("an endless loop is interrupted and the state is kept");
    expect(output).toContain("the kernel shuts down");
    expect(status, output).toBe(0);
  });

  test("jupyter nbconvert --execute makes pages with the rendered answers", {
    timeout: 240_000,
  }, async () => {
    for (const path of home.notebooks) {
      const args = ["-m", "nbconvert", "--to", "html", "--execute", path];
      const { status, output } = await home.run(PYTHON, args);
      expect(status, output).toBe(0);
      const page = readFileSync(path.replace(/ipynb$/, "html"), "utf8");
      expect(page).toMatch(/<table/);
      expect(page).toContain("· Successful");
    }
  });

  test("jupyter console sends requests and runs TypeScript", { timeout: 120_000 }, async () => {
    const args = [
      "-m",
      "jupyter_console",
      "--kernel",
      "restlab",
      "--ZMQTerminalInteractiveShell.simple_prompt=True",
    ];
    const terminal = spawnTerminal(PYTHON, args, {
      cwd: home.folder,
      env: home.env,
      cols: 120,
      rows: 40,
    });
    let screen = "";
    terminal.onData((text) => {
      screen += text;
    });
    const sees = async (text: string): Promise<void> => {
      await expect.poll(() => screen, { timeout: 60_000, interval: 50 }).toContain(text);
    };
    try {
      await sees("In [1]:");
      terminal.write("6 * 7\r");
      await sees("42");
      await sees("In [2]:");
      terminal.write("GET http://127.0.0.1:9/nothing\r");
      await sees("NoResponseError");
    } finally {
      terminal.kill("SIGKILL");
    }
  });
});
