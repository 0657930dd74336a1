import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toVisibleJson } from "../../lib/display/mod.ts";
import { notebook } from "../notebook/notebook.ts";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

/** A title, an erased screen, text that turns round, a deleted character and a line of its own. */
const RAW = "\u001b]0;t\u0007\u009b2J\u202e\u007f\u2028\u2066x\nforged";
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there.
const ACTS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]|^forged/m;

/** What commands say of their words, of files and of values. */
function describeArgumentsUnder(runtime: RuntimeName): void {
  describe(`no quoted argument acts on a terminal under ${runtime}`, () => {
    let folder: string;
    const run = (...words: readonly string[]): Promise<Ended> =>
      restlab(runtime, words, { cwd: folder });
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-raw-"));
      writeFileSync(join(folder, "good.http"), "GET http://127.0.0.1:9/\n");
      writeFileSync(join(folder, `${RAW}.http`), `GET http://127.0.0.1:9/{{nobody}}\n`);
      writeFileSync(join(folder, "bad.http"), `GET htp://x/\u009b2J\u202ex\u007f\n`);
      writeFileSync(join(folder, "says.ipynb"), notebook(`"\u009b2J\u202ex\u007f"`));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each([
      [`--${RAW}`],
      [`-${RAW}`],
      [RAW],
      ["help", RAW],
      ["--var", RAW],
      ["--var", `${RAW}=1`, "-e", "1"],
      ["--env", RAW, "-e", "1"],
      ["--timeout", RAW],
      ["run", `--${RAW}`],
      ["run", RAW],
      ["run", `${RAW}.ipynb`],
      ["run", "good.http", "--env", RAW],
      ["run", "good.http", "--output", `${RAW}/out.ipynb`],
      ["run", "--brief", `${RAW}.http`],
      ["check", `--${RAW}`],
      ["check", RAW],
      ["check", `${RAW}.http`],
      ["check", "--env", RAW, "good.http"],
      ["demo", "--host", RAW],
      ["demo", "--port", RAW],
      ["install", `--${RAW}`],
      ["install", "--name", RAW],
      ["install", "--runtime", RAW],
      ["uninstall", "--prefix", RAW],
      ["kernel", `--${RAW}`],
      ["kernel", "--connection-file", RAW],
    ])("%j", async (...words) => {
      const { status, stdout, stderr } = await run(...words);
      expect(stdout + stderr).not.toBe("");
      expect(stdout + stderr).not.toMatch(ACTS);
      expect(status).not.toBe(0);
    });

    test("JSON contains it escaped", async () => {
      for (const file of ["bad.http", `${RAW}.http`]) {
        const { stdout } = await run("check", "--json", file);
        expect(stdout).not.toMatch(ACTS);
        expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ file })]);
      }
      const code = `({ text: ${toVisibleJson(JSON.stringify(RAW))} })`;
      const { stdout } = await run("--json", "-e", code);
      expect(stdout).not.toMatch(ACTS);
      expect(JSON.parse(stdout)).toEqual({ text: RAW });
      const written = await run("run", "--output", "-", "says.ipynb");
      expect(written.stdout).not.toMatch(ACTS);
      expect(JSON.parse(written.stdout).cells[0].source).toEqual(['"\u009b2J\u202ex\u007f"']);
    });
  });
}

describeArgumentsUnder(RUNTIME);
