import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { RUNTIME } from "../support/runtime.ts";
import type { KernelClient } from "./kernel-client.ts";
import { type RuntimeName, startKernel } from "./kernel-process.ts";

/** The history that a kernel has of earlier ones, on one runtime. */
function describeFormerSessions(runtime: RuntimeName): void {
  describe(`earlier sessions of kernels on ${runtime}`, () => {
    const folders: string[] = [];
    const newFolder = (): string => {
      const folder = mkdtempSync(join(tmpdir(), "restlab-history-"));
      folders.push(folder);
      return folder;
    };
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });

    async function ask(client: KernelClient, content: Record<string, unknown>): Promise<unknown> {
      const asked = { output: false, raw: true, ...content };
      return (await client.request("shell", "history_request", asked)).reply.content["history"];
    }

    test("tail, range and search find the cells of earlier kernels", async () => {
      const history = newFolder();
      const texts = (): string[] => {
        const kept = join(history, "history-kernel");
        return readdirSync(kept).map((file) => readFileSync(join(kept, file), "utf8"));
      };
      const first = await startKernel(runtime, { history });
      try {
        for (const code of [
          "const kept = 1",
          " const hidden = 2",
          'client.setVar("apiKey", "k-not-to-be-kept")',
          'client.setVar("pin", "pin-no-name-tells", { secret: true })',
          "'pin-no-name-tells'",
          "throw new Error('failed and kept')",
          "await Promise.resolve(4)",
        ]) {
          await first.client.execute(code);
        }
        await first.client.execute("'silent'", { silent: true });
        await first.client.execute("'not stored'", { store_history: false });
        // The last one is written by the end of the kernel.
        await first.client.request("control", "shutdown_request", { restart: false });
        await first.exited;
      } finally {
        await first.dispose();
      }
      expect(texts()).toEqual([
        '[1,"const kept = 1"]\n[6,"throw new Error(\'failed and kept\')"]\n[7,"await Promise.resolve(4)"]\n',
      ]);
      const second = await startKernel(runtime, { history });
      const third = await startKernel(runtime, { history });
      try {
        const { client } = second;
        expect(await ask(client, { hist_access_type: "tail", n: 1 })).toEqual([
          [1, 7, "await Promise.resolve(4)"],
        ]);
        await Promise.all([client.execute("'new'"), third.client.execute("'beside it'")]);
        const range = { hist_access_type: "range", session: -1, start: 2, stop: 7, output: true };
        expect(await ask(client, range)).toEqual([
          [1, 6, ["throw new Error('failed and kept')", null]],
        ]);
        expect(await ask(client, { hist_access_type: "range", session: 0, start: 1 })).toEqual([
          [2, 1, "'new'"],
        ]);
        expect(await ask(client, { hist_access_type: "search", pattern: "*e*" })).toEqual([
          [1, 1, "const kept = 1"],
          [1, 6, "throw new Error('failed and kept')"],
          [1, 7, "await Promise.resolve(4)"],
          [2, 1, "'new'"],
        ]);
        await expect
          .poll(() => texts().toSorted())
          .toEqual([
            expect.stringContaining("beside it"),
            expect.stringContaining("new"),
            expect.stringContaining("kept"),
          ]);
        const kept = join(history, "history-kernel");
        const modes = readdirSync(kept).map((file) => statSync(join(kept, file)).mode & 0o777);
        expect(modes).toEqual([0o600, 0o600, 0o600]);
      } finally {
        await second.dispose();
        await third.dispose();
      }
    });

    test("a text that becomes a secret one cell later is not in any file", async () => {
      const history = newFolder();
      const { client, dispose } = await startKernel(runtime, { history });
      const text = (): string => {
        const kept = join(history, "history-kernel");
        return readdirSync(kept)
          .map((file) => readFileSync(join(kept, file), "utf8"))
          .join("");
      };
      try {
        await client.execute("const later = 'correct-horse-battery'");
        await expect.poll(text).toContain("correct-horse-battery");
        await client.execute("client.setVar('pin', later, { secret: true })", {
          store_history: false,
        });
        await expect.poll(text).not.toContain("correct-horse-battery");
        await client.execute("'kept'");
        await expect.poll(text).toMatch(/^ +\n\[2,"'kept'"\]\n$/);
      } finally {
        await dispose();
      }
    });

    test("an unusable folder is logged once, and the kernel works", async () => {
      const history = newFolder();
      writeFileSync(join(history, "history-kernel"), "a file");
      const { client, log, dispose } = await startKernel(runtime, { history });
      try {
        for (const code of ["1", "'two'"]) {
          expect((await client.execute(code)).reply.content["status"]).toBe("ok");
        }
        expect(await ask(client, { hist_access_type: "tail", n: 1 })).toEqual([[1, 2, "'two'"]]);
        await expect.poll(log).toContain("history-kernel");
        expect(
          log()
            .split("\n")
            .filter((line) => line.includes("history")),
        ).toHaveLength(1);
      } finally {
        await dispose();
      }
    });
  });
}

describeFormerSessions(RUNTIME);
