import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RuntimeName, restlab } from "../support/command.ts";
import { checkNotebook } from "./check-notebook.ts";

const FOLDER = join(import.meta.dirname, "../../notebooks");
const names = readdirSync(FOLDER).filter((name) => name.endsWith(".ipynb"));

/** The project's notebooks run from the first cell to the last, against the embedded API. */
export function describeNotebooks(runtime: RuntimeName): void {
  describe(`the notebooks on ${runtime}`, () => {
    let folder = "";
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-notebooks-"));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test.each(names)("%s runs without a failing cell", async (name) => {
      const output = join(folder, name);
      const args = ["run", "--demo", "--output", output, join(FOLDER, name)];
      const { status, stdout, stderr } = await restlab(runtime, args, { cwd: folder });
      expect(stderr).not.toMatch(/failed|not run|Warning/);
      expect(status).toBe(0);
      expect(stdout).toContain("200 OK · Successful");
      const code = checkNotebook(readFileSync(output, "utf8")).filter(
        (it) => it.cell_type === "code",
      );
      expect(code.every(({ execution_count }) => execution_count !== null)).toBe(true);
      expect(JSON.stringify(code)).not.toContain('"output_type":"error"');
    });
  });
}
