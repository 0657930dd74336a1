import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { RUNS_ALL, RUNTIME } from "../support/runtime.ts";
import { checkNotebook, type StoredCell } from "./check-notebook.ts";
import { notebook } from "./notebook.ts";

const SCRIPT_LOOP = 'console.log("begun"); while (true) {}';
const AFTER_AWAIT = 'await 0; console.log("begun"); while (true) {}';
const AWAITING = 'console.log("begun"); while (true) await 0';
const IN_TIMER =
  'setTimeout(() => { console.log("begun"); for (;;) {} }, 5); await new Promise((done) => setTimeout(done, 1e6))';
const CAUGHT = 'try { await 0; for (;;); } catch {}\nconsole.log("went " + "on");';
const RECURSION =
  'const f = (n: number): number => (n < 2 ? n : f(n - 1) + f(n - 2)); await 0; console.log("begun"); f(99)';
/** No code of the cell's own, which could look whether it is to end. */
const OTHERS = 'await 0; console.log("begun"); eval("for (;;);")';
const LATE = "TimeoutError: Running the cell failed: it did not end within 0.5 s";

/**
 * Which signal ends which loop, of those that the kernel's contract interrupts on each runtime: Bun's second thread
 * hears of SIGINT alone.
 */
const ENDED_BY_SIGNAL: Readonly<Record<RuntimeName, readonly (readonly [Signal, string])[]>> = {
  node: [
    ["SIGINT", SCRIPT_LOOP],
    ["SIGTERM", SCRIPT_LOOP],
    ["SIGTERM", AFTER_AWAIT],
    ["SIGINT", AWAITING],
    ["SIGINT", IN_TIMER],
  ],
  deno: [
    ["SIGTERM", SCRIPT_LOOP],
    ["SIGINT", IN_TIMER],
  ],
  bun: [
    ["SIGINT", SCRIPT_LOOP],
    ["SIGINT", AWAITING],
  ],
};
type Signal = "SIGINT" | "SIGTERM";
const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** A run in a folder of its own, and the notebook that it wrote. */
interface Run extends Ended {
  readonly written: () => readonly StoredCell[];
}

/** How a run ends: limits, work that no cell awaits, signals, exit statuses. A few run side by side. */
function describeEndings(runtime: RuntimeName): void {
  describe(`the end of restlab run on ${runtime}`, () => {
    let folder = "";
    let server: Server;
    let base = "";
    const runText = async (
      text: string,
      args: readonly string[],
      onOutput: (text: string, kill: (signal: Signal) => void) => void = () => undefined,
    ): Promise<Run> => {
      const cwd = mkdtempSync(join(folder, "run-"));
      writeFileSync(join(cwd, "cells.ipynb"), text);
      const given = ["run", "--var", `base=${base}`, ...args, "cells.ipynb"];
      const ended = await restlab(runtime, given, { cwd, onOutput });
      const written = () => checkNotebook(readFileSync(join(cwd, "out.ipynb"), "utf8"));
      return { ...ended, written };
    };
    const run = (sources: readonly string[], ...args: readonly string[]): Promise<Run> =>
      runText(notebook(...sources), args);

    beforeAll(async () => {
      folder = makeFolder("endings");
      server = createServer((request, response) => {
        if (request.url === "/slow") setTimeout(() => response.end("slow"), 300);
        else if (request.url === "/letters") response.end(`${"a".repeat(60)}!`);
        else if (request.url !== "/never") response.end("quick");
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    test.concurrent("--timeout ends whatever computes, and what no cell awaits", async () => {
      const loops = [`let kept = 20; ${SCRIPT_LOOP}`, AFTER_AWAIT, AWAITING, IN_TIMER, RECURSION];
      const never = 'void client.send("GET {{base}}/never", { timeout: 60_000 }).catch(() => {})';
      const sources = [...loops, "kept + 1", CAUGHT, never];
      const { status, stderr, written } = await run(
        sources,
        "--timeout",
        "0.5",
        "-k",
        "-o",
        "out.ipynb",
      );
      const outputs = written().map((cell) => JSON.stringify(cell.outputs));
      for (const [index, loop] of loops.entries()) {
        expect(outputs[index], loop).toMatch(/begun[\s\S]*TimeoutError/);
        expect(outputs[index]?.split('"error"').length, loop).toBe(2);
      }
      expect(outputs[5]).toContain('"21"');
      // What a cell catches after its limit does not save it.
      expect(outputs[6]).toContain("TimeoutError");
      expect(stderr.split(LATE).length - 1).toBe(6);
      expect(stderr).toContain(
        `Gave up after 0.5 s on requests that no cell awaits: GET ${base}/never`,
      );
      expect(stderr).toContain("8 cells run, 6 failed, 1 request given up");
      expect(status).toBe(1);
    });

    test.concurrent("--timeout does not count the time that loading TypeScript takes", async () => {
      const { status, stderr } = await run(
        ["const one: number = 1;\nclient.getVar('base')"],
        "--timeout",
        "0.2",
      );
      expect([status, stderr]).toEqual([0, "cells.ipynb: 1 cell run\n"]);
      const handler = "GET {{base}}/quick\n\n> {% client.log(1 + 1) %}";
      const handled = await run([handler], "--timeout", "0.5");
      expect([handled.status, handled.stderr]).toEqual([0, "cells.ipynb: 1 cell run\n"]);
    });

    test.concurrent("--timeout ends what is not the cell's own code, or else the run, and what was run is saved", async () => {
      const sources = ['console.log("kept")', OTHERS, 'console.log("next" + 1)'];
      const { status, stdout, stderr, written } = await run(
        sources,
        "--timeout",
        "0.5",
        "-k",
        "-o",
        "out.ipynb",
      );
      expect(stdout).toContain("begun");
      expect(JSON.stringify(written()[0]?.outputs)).toContain("kept");
      if (runtime === "node") {
        expect(stderr).toContain(LATE);
        expect(stdout).toContain("next1");
        expect(status).toBe(1);
      } else {
        expect(stderr).toContain("is busy in code other than its own");
        expect(stderr).toContain("out.ipynb has the outputs of the cells before it");
        expect(stdout).not.toContain("next1");
        expect(status).not.toBe(0);
      }
    });

    test.concurrent("requests that no cell awaits are waited for, and what follows from them", async () => {
      const source =
        'void client.send("GET {{base}}/slow").then(async ({ text }) => {\n' +
        '  console.log("first", text);\n' +
        '  console.log("then", (await client.send("GET {{base}}/slow")).text);\n});';
      const { status, stdout, written } = await run([source], "-o", "out.ipynb");
      expect(stdout).toContain("first slow\nthen slow");
      expect(JSON.stringify(written()[0]?.outputs)).toContain("then slow");
      expect(status).toBe(0);
    });

    test.concurrent("what a cell leaves behind and fails is a failure of its cell", async () => {
      const wait = 'await new Promise((done) => setTimeout(done, 300));\n"next" + 1';
      const sources = [
        "1",
        'void Promise.reject(new RangeError("rejected"));\n1',
        wait,
        'setTimeout(() => { throw new RangeError("timer"); }, 1);',
        wait,
        'void client.send("GET http://127.0.0.1:1/").catch(() => { throw new RangeError("request"); });',
        wait,
        ...(runtime === "node" ? ["await new Promise(() => {})"] : []),
        'void Promise.reject(new Error("expected")); 1',
        'void Promise.reject(new RangeError("at last"));\n1',
      ];
      const document = JSON.parse(notebook(...sources)) as { cells: { metadata: object }[] };
      // biome-ignore lint/style/noNonNullAssertion: It is there.
      document.cells.at(-2)!.metadata = { tags: ["raises-exception"] };
      const { status, stderr, written } = await runText(JSON.stringify(document), [
        "-k",
        "-o",
        "out.ipynb",
      ]);
      const outputs = written().map((cell) => JSON.stringify(cell.outputs));
      for (const what of ["rejected", "timer", "request", "at last"]) {
        expect(stderr).toContain(`RangeError: ${what}`);
        // Deno and Bun do not tell whose promise it was; it is shown at the cell that began last.
        const at = outputs.flatMap((text, index) =>
          text.includes(`RangeError: ${what}`) ? [index] : [],
        );
        expect(at, what).toHaveLength(1);
        if (runtime === "node") expect(sources[at[0] ?? 0], what).toContain(what);
      }
      expect(stderr).toContain("Error: expected");
      // Nothing is left there that the cell could wait for, which only Node tells.
      const stuck = runtime === "node" ? 1 : 0;
      if (stuck === 1) expect(stderr).toContain("StuckError: Cannot continue");
      expect(stderr).toContain(`${9 + stuck} cells run, ${4 + stuck} failed\n`);
      expect(status).toBe(1);
    });

    /** Sends a signal as soon as a cell has printed "begun". */
    const interrupted = (signal: Signal, ...sources: readonly string[]): Promise<Run> => {
      let isSent = false;
      return runText(notebook(...sources), ["-k", "-o", "out.ipynb"], (text, kill) => {
        if (isSent || !text.includes("begun\n")) return;
        isSent = true;
        setTimeout(() => kill(signal), 300);
      });
    };
    const WAITS = 'console.log("begun"); await new Promise(() => setInterval(() => {}, 1000))';

    test.concurrent.each([
      ["SIGINT", WAITS],
      ["SIGTERM", WAITS],
      ...ENDED_BY_SIGNAL[runtime],
    ] as const)("%s ends %j and saves the outputs so far", async (signal, source) => {
      const ended = await interrupted(signal, 'console.log("kept")', source, 'console.log("next")');
      const [first, second, third] = ended.written();
      expect(JSON.stringify(first?.outputs)).toContain("kept");
      expect(JSON.stringify(second?.outputs)).toMatch(/begun[\s\S]*InterruptedError/);
      expect(third?.execution_count).toBeNull();
      expect(ended.stderr).toContain("2 cells run, 1 failed, 1 not run");
      expect(ended.status).toBe(STATUS[signal]);
    });

    if (runtime === "deno") {
      test.concurrent("SIGTERM ends what is not the cell's own code with the process, and what was run is saved", async () => {
        const { status, stderr, written } = await interrupted("SIGTERM", '"kept"', OTHERS);
        expect(stderr).toContain("which Deno cannot interrupt");
        expect(JSON.stringify(written()[0]?.outputs)).toContain("kept");
        expect(status).not.toBe(0);
      });
    }

    // No runtime decides what follows, but for the exit itself.
    const statuses = [
      ["process.exit(300)", 44],
      ["process.exit(256)", 1],
      ["process.exitCode = 9;", 9],
      ['process.exit("soon")', 1],
    ] as const;
    test.concurrent.each(RUNS_ALL ? statuses : statuses.slice(0, 1))(
      "%s ends the run with %d",
      async (source, wanted) => {
        const { status, stderr } = await run([source]);
        expect(status).toBe(wanted);
        if (source.includes("soon")) expect(stderr).toContain("it is not a whole number");
      },
    );
    if (!RUNS_ALL) return;

    test.concurrent("a regular expression without end fails its cell, and the next one runs", async () => {
      const endless = "GET {{base}}/letters\n?? body matches ^(a|a)*b$";
      const { status, stdout, stderr } = await run([endless, '"went " + "on"'], "-k");
      expect(stdout).toContain("went on");
      expect(stderr).toContain("2 cells run, 1 failed");
      expect(status).toBe(1);
    });

    test.concurrent("a failure that a cell may have leaves the exit status alone", async () => {
      const document = JSON.parse(notebook('void Promise.reject(new Error("expected")); 1'));
      document.cells[0].metadata = { tags: ["raises-exception"] };
      const { status, stderr } = await runText(JSON.stringify(document), []);
      expect(stderr).toContain("expected");
      expect(status).toBe(0);
    });
  });
}

describeEndings(RUNTIME);
