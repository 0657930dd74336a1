import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { notebook } from "./notebook.ts";

const FILES = {
  "all/b.http": "GET {{base}}/users/2\n",
  "all/a.ipynb": notebook("GET {{base}}/users/1"),
  "all/notes.txt": "not run",
  "all/.ipynb_checkpoints/a.ipynb": notebook("GET {{base}}/hidden"),
  "all/node_modules/x/c.http": "GET {{base}}/package\n",
  "all/below/c.rest": "GET {{base}}/users/3\n",
  "nothing/notes.txt": "not run",
};

/** What `run` and `check` do with a folder, on one runtime. */
function describeWholeFolders(runtime: RuntimeName): void {
  describe(`a folder in place of files on ${runtime}`, () => {
    let folder = "";
    const run = (...args: readonly string[]): Promise<Ended> =>
      restlab(runtime, args, { cwd: join(folder, "all") });
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-whole-"));
      for (const [name, text] of Object.entries(FILES)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test("run runs its files, and those of its folders after them", async () => {
      const { status, stdout, stderr } = await run("run", "--demo", "--brief", ".");
      expect(stderr.match(/^\S+: 1 cell run$/gm)).toEqual([
        "a.ipynb: 1 cell run",
        "b.http: 1 cell run",
        "below/c.rest: 1 cell run",
      ]);
      expect(stdout).not.toMatch(/hidden|package/);
      expect(status).toBe(0);
    });

    test("check checks them", async () => {
      const { status, stderr } = await run("check", "--var", "base=http://h", ".", "below");
      expect([status, stderr]).toEqual([0, "No faults in 4 files\n"]);
    });

    test.each(["run", "check"])("%s says where there are none", async (command) => {
      const { status, stderr } = await run(command, "../nothing");
      expect(stderr).toContain(
        'Reading "../nothing" failed: it is a folder without .ipynb, .http or .rest files',
      );
      expect(status).toBe(2);
    });
  });
}

describeWholeFolders(RUNTIME);
