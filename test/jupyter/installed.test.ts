import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { spawn as spawnTerminal } from "@lydell/node-pty";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "../support/folders.ts";
import { hasTools } from "../support/require.ts";
import { createJupyterHome, type JupyterHome } from "./installed-kernel.ts";
import { startKernel } from "./kernel-process.ts";

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

  test("runs a notebook in nbclient, is interrupted, restarts, and ends", {
    timeout: 240_000,
  }, async () => {
    const [notebook = ""] = home.notebooks;
    const { status, output } = await home.run(PYTHON, [join(PEERS, "client_test.py"), notebook]);
    expect(output).toContain("an endless loop is interrupted and the state is kept");
    expect(output).toContain("the kernel shuts down");
    expect(status, output).toBe(0);
  });

  test("jupyter nbconvert --execute creates pages with the rendered responses", {
    timeout: 240_000,
  }, async () => {
    // All of them run in `test/notebook`, which takes a fifth of the time.
    const notebooks = home.notebooks.filter((path) => /01-tour|gallery/.test(path));
    expect(notebooks).toHaveLength(2);
    const args = ["-m", "nbconvert", "--to", "html", "--execute", ...notebooks];
    const { status, output } = await home.run(PYTHON, args);
    expect(status, output).toBe(0);
    for (const path of notebooks) {
      const page = readFileSync(path.replace(/ipynb$/, "html"), "utf8");
      expect(page).toMatch(/<table/);
      expect(page).toContain("· Successful");
    }
  });

  test("jupyter run runs a file, and passes its name on to the kernel", async () => {
    const file = join(makeFolder("run"), "file.ts");
    writeFileSync(file, "const sum: number = 40 + 2\nconsole.log('the sum is', sum)");
    const run = ["-m", "jupyter_client.runapp", "--kernel=restlab", file];
    const { status, output } = await home.run(PYTHON, run);
    expect(output).toContain("the sum is 42");
    expect(status, output).toBe(0);
  });

  test("jupyter console sends requests and runs TypeScript", async () => {
    const simple = "--ZMQTerminalInteractiveShell.simple_prompt=True";
    const { type, sees, close } = openConsole("--kernel", "restlab", simple);
    try {
      await sees("In [1]:");
      type("6 * 7\r");
      await sees("42");
      await sees("In [2]:");
      type("GET http://127.0.0.1:9/nothing\r");
      await sees("NoResponseError");
    } finally {
      await close();
    }
  });

  test("in jupyter console, Up recalls the cells of the previous session", async () => {
    const history = makeFolder("history");
    const former = await startKernel("node", { history });
    try {
      await former.client.execute("const typedBefore = 6 * 7; typedBefore");
      await former.client.request("control", "shutdown_request", { restart: false });
      await former.exited;
    } finally {
      await former.dispose();
    }
    const later = await startKernel("node", { history });
    // The console waits a second for the history, which a kernel that loads TypeScript may exceed.
    await later.client.execute("1", { store_history: false });
    const file = join(home.folder, "connection.json");
    writeFileSync(file, JSON.stringify(later.connection));
    try {
      // On a busy machine the console gives up the history after a second, and is opened again.
      let isRecalled = false;
      for (let attempt = 0; attempt < 5 && !isRecalled; attempt++) {
        const { type, sees, screen, close } = openConsole("--existing", file);
        await sees("In [1]:");
        expect(screen()).not.toContain("typedBefore");
        type("\u001b[A");
        isRecalled = await expect
          .poll(screen, { timeout: 15_000 })
          .toContain("typedBefore = 6 * 7")
          .then(
            () => true,
            () => false,
          );
        await close();
      }
      expect(isRecalled).toBe(true);
    } finally {
      await later.dispose();
    }
  });

  /** A user of `jupyter console`. */
  function openConsole(...options: readonly string[]) {
    // After a second, within which a busy machine loads no TypeScript, Enter would only begin a line.
    const patient = "--ZMQTerminalInteractiveShell.kernel_is_complete_timeout=60";
    const args = ["-m", "jupyter_console", patient, ...options];
    const { folder: cwd, env } = home;
    const terminal = spawnTerminal(PYTHON, args, { cwd, env, cols: 120, rows: 40 });
    let screen = "";
    terminal.onData((text) => {
      screen += text;
      // It asks where the cursor is, and waits for the answer.
      if (text.includes("\u001b[6n")) terminal.write("\u001b[1;1R");
    });
    const ended = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
    return {
      screen: () => stripVTControlCharacters(screen),
      type: (text: string) => terminal.write(text),
      sees: async (text: string): Promise<void> => {
        await expect.poll(() => stripVTControlCharacters(screen), { interval: 50 }).toContain(text);
      },
      close: async () => {
        terminal.kill("SIGKILL");
        await ended;
      },
    };
  }
});
