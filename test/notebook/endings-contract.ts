import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { checkNotebook } from "./check-notebook.ts";
import { notebook } from "./notebook.ts";

const SCRIPT_LOOP = 'console.log("begun"); while (true) {}';
const LATER_LOOPS = [
  'await 0; console.log("begun"); while (true) {}',
  'console.log("begun"); while (true) await 0',
  'setTimeout(() => { console.log("begun"); for (;;) {} }, 5); await new Promise((done) => setTimeout(done, 1e6))',
];
/** Which loops behind an `await` a runtime can end alone; the others end with the whole run. */
const ENDS_LATER_LOOPS: Readonly<Record<RuntimeName, boolean>> = {
  node: true,
  deno: false,
  bun: false,
};

/** How a run ends: limits, work that no cell awaits, signals, exit statuses. */
export function describeEndings(runtime: RuntimeName): void {
  describe(`how restlab run ends on ${runtime}`, () => {
    let folder = "";
    let server: Server;
    let base = "";
    const at = (name: string): string => join(folder, name);
    const write = (...sources: readonly string[]): void =>
      writeFileSync(at("cells.ipynb"), notebook(...sources));
    const run = (...args: readonly string[]): Promise<Ended> =>
      restlab(runtime, ["run", "--var", `base=${base}`, ...args, "cells.ipynb"], { cwd: folder });
    const written = () => checkNotebook(readFileSync(at("out.ipynb"), "utf8"));

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "restlab-endings-"));
      server = createServer((request, response) => {
        if (request.url === "/slow") setTimeout(() => response.end("slow"), 700);
        else if (request.url !== "/never") response.end("quick");
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    describe("--timeout", () => {
      test("ends a script that computes, and the next cell runs with what was set", async () => {
        write(`let kept = 20; ${SCRIPT_LOOP}`, "kept + 1");
        const { status, stdout, stderr } = await run("--timeout", "1", "-k");
        expect(stderr).toContain(
          "TimeoutError: Running the cell failed: it did not end within 1 s",
        );
        expect(stdout).toMatch(/begun[\s\S]*\n21\n/);
        expect(status).toBe(1);
      });

      test.each(LATER_LOOPS)("ends %j, where the runtime can, or else the run", async (loop) => {
        write('console.log("kept")', loop, 'console.log("next" + 1)');
        const { status, stdout, stderr } = await run("--timeout", "1", "-k", "-o", "out.ipynb");
        expect(stdout).toContain("begun");
        expect(JSON.stringify(written()[0]?.outputs)).toContain("kept");
        if (ENDS_LATER_LOOPS[runtime]) {
          expect(stderr).toContain("it did not end within 1 s");
          expect(stdout).toContain("next1");
          expect(status).toBe(1);
        } else {
          expect(stderr).toContain("computes without a break");
          expect(stderr).toContain("out.ipynb holds what ran before that cell");
          expect(stdout).not.toContain("next1");
          expect(status).not.toBe(0);
        }
      });

      if (runtime === "node") {
        test("is not waited for where nothing is left to wait for", async () => {
          write("await new Promise(() => {})");
          const { status, stderr } = await run();
          expect(stderr).toContain("StuckError: Cannot go on");
          expect(status).toBe(1);
        });
      }

      test("does not count the time that loading TypeScript takes", async () => {
        write("const one: number = 1;\none");
        const { status, stderr } = await run("--timeout", "0.2");
        expect([status, stderr]).toEqual([0, "cells.ipynb: 1 cell run\n"]);
      });
    });

    describe("what no cell awaits", () => {
      test("requests are waited for, and what follows from them", async () => {
        write(
          'void client.send("GET {{base}}/slow").then(async ({ text }) => {\n' +
            '  console.log("first", text);\n' +
            '  console.log("then", (await client.send("GET {{base}}/slow")).text);\n});',
        );
        const { status, stdout } = await run("-o", "out.ipynb");
        expect(stdout).toContain("first slow\nthen slow");
        expect(JSON.stringify(written()[0]?.outputs)).toContain("then slow");
        expect(status).toBe(0);
      });

      test("requests that take longer than the limit are given up, with exit status 1", async () => {
        write('void client.send("GET {{base}}/never", { timeout: 60_000 })');
        const { status, stderr } = await run("--timeout", "1");
        expect(stderr).toContain(`Gave up after 1 s what no cell awaited: GET ${base}/never`);
        expect(stderr).toContain("1 request given up");
        expect(status).toBe(1);
      });

      test.each([
        ["a rejection", 'void Promise.reject(new RangeError("too far"));\n1'],
        ["an exception in a timer", 'setTimeout(() => { throw new RangeError("too far"); }, 1);'],
        [
          "a request",
          'void client.send("GET http://127.0.0.1:1/").catch(() => { throw new RangeError("too far"); });',
        ],
      ])("%s that fails is a failure of its cell", async (_what, source) => {
        write("1", `${source}`, 'await new Promise((done) => setTimeout(done, 300));\n"next" + 1');
        const { status, stderr } = await run("-k", "-o", "out.ipynb");
        expect(stderr).toContain("RangeError: too far");
        expect(stderr).toContain("3 cells run, 1 failed");
        expect(status).toBe(1);
        // Deno and Bun do not tell whose promise it was; it is shown at the cell that began last.
        const errors = written().map(({ outputs }) => JSON.stringify(outputs).includes("too far"));
        expect(errors.filter(Boolean)).toHaveLength(1);
        if (runtime === "node") expect(errors).toEqual([false, true, false]);
      });

      test("a rejection in the last cell counts, and one in a cell that may fail does not", async () => {
        write('void Promise.reject(new Error("at last"));\n1');
        expect(await run()).toMatchObject({
          status: 1,
          stderr: expect.stringContaining("at last"),
        });
        const cell = { cell_type: "code", id: "a", execution_count: null, outputs: [] };
        const metadata = { tags: ["raises-exception"] };
        const source = 'void Promise.reject(new Error("expected")); 1';
        const cells = [{ ...cell, metadata, source }];
        const text = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
        writeFileSync(at("cells.ipynb"), text);
        expect(await run()).toMatchObject({
          status: 0,
          stderr: expect.stringContaining("expected"),
        });
      });
    });

    describe("signals", () => {
      /** Sends a signal as soon as a cell has printed "begun". */
      const interrupted = async (signal: NodeJS.Signals, ...args: readonly string[]) => {
        let isSent = false;
        return await restlab(runtime, ["run", ...args, "cells.ipynb"], {
          cwd: folder,
          onOutput: (text, kill) => {
            if (isSent || !text.includes("begun\n")) return;
            isSent = true;
            setTimeout(() => kill(signal), 300);
          },
        });
      };
      const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

      test.each(["SIGINT", "SIGTERM"] as const)("%s saves what was run so far", async (signal) => {
        write(
          'console.log("kept")',
          'console.log("begun"); await new Promise(() => setInterval(() => {}, 1000))',
          "3",
        );
        const { status, stderr } = await interrupted(signal, "-k", "-o", "out.ipynb");
        const [first, second, third] = written();
        expect(JSON.stringify(first?.outputs)).toContain("kept");
        expect(JSON.stringify(second?.outputs)).toMatch(/begun[\s\S]*InterruptedError/);
        expect(third?.execution_count).toBeNull();
        expect(stderr).toContain("2 cells run, 1 failed, 1 not run");
        expect(status).toBe(STATUS[signal]);
      });

      // Only Node tells a second thread of signals and ends what computes.
      const onNode = runtime === "node" ? test : undefined;
      onNode?.each([
        ["SIGTERM", SCRIPT_LOOP],
        ["SIGTERM", LATER_LOOPS[0]],
        ["SIGINT", LATER_LOOPS[1]],
        ["SIGINT", LATER_LOOPS[2]],
      ] as const)("%s saves what was run before %j", async (signal, loop) => {
        write('console.log("kept")', loop ?? "", 'console.log("next" + 1)');
        const { status, stdout } = await interrupted(signal, "-k", "-o", "out.ipynb");
        expect(JSON.stringify(written()[0]?.outputs)).toContain("kept");
        expect(JSON.stringify(written()[1]?.outputs)).toContain("InterruptedError");
        expect(stdout).not.toContain("next1");
        expect(status).toBe(STATUS[signal]);
      });

      if (runtime === "deno") {
        test("a loop is ended with the process, and what was run is saved", async () => {
          write('console.log("kept")', SCRIPT_LOOP);
          const { status, stderr } = await interrupted("SIGTERM", "-o", "out.ipynb");
          expect(stderr).toContain("which Deno cannot end");
          expect(JSON.stringify(written()[0]?.outputs)).toContain("kept");
          expect(status).not.toBe(0);
        });
      }
    });

    test.each([
      ["process.exit(300)", 44],
      ["process.exit(256)", 1],
      ["process.exitCode = 9;", 9],
      ['process.exit("soon")', 1],
    ])("%s ends the run with %d", async (source, wanted) => {
      write(source);
      const { status, stderr } = await run();
      expect(status).toBe(wanted);
      if (source.includes("soon")) expect(stderr).toContain("it is no whole number");
    });
  });
}
