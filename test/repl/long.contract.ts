import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RuntimeName } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { useDemoTerminals } from "./demo-terminals.ts";
import { makeFolder, openRestlab } from "./terminal.ts";

const ENTER = "\r";
const LONG = `for (let n = 1; n <= 60; n++) client.setVar("v" + n, n)${ENTER}`;

/** What is longer than the screen, and what is kept or given up, on one runtime. */
function describeLong(runtime: RuntimeName): void {
  describe(`long answers at the prompt on ${runtime}`, () => {
    const { open } = useDemoTerminals(runtime);

    test("$PAGER gets the whole text; the built-in pager replaces a missing one", async () => {
      const cwd = makeFolder();
      const lab = open({ cwd, env: { PAGER: "cat > paged.txt; echo paged" } });
      await lab.prompts();
      lab.type(LONG);
      await lab.prompts();
      lab.type(`.vars${ENTER}`);
      await lab.shows(/paged\nrestlab>/);
      const paged = readFileSync(join(cwd, "paged.txt"), "utf8");
      for (const name of ["base", "v1", "v60"]) expect(paged).toContain(name);
      const other = open({ env: { PAGER: "no-such-pager" } });
      await other.prompts();
      other.type(LONG);
      await other.prompts();
      other.type(`.vars${ENTER}`);
      await other.shows(/-- \d+ more lines: space/);
    });

    test("without $PAGER keys show a line, a screen or everything, or quit", async () => {
      const lab = open({ rows: 24, env: { PAGER: "less-is-not-here" } });
      await lab.prompts();
      lab.type(LONG);
      await lab.prompts();
      lab.type(`.vars${ENTER}`);
      await lab.shows(/-- (\d+) more lines: space/);
      const left = (): number => Number(/-- (\d+) more lines/.exec(lab.screen.text())?.[1]);
      const before = left();
      lab.type(ENTER);
      await lab.shows(`-- ${before - 1} more lines`);
      lab.type(" ");
      await lab.shows(`-- ${before - 24} more lines`);
      lab.type("q");
      await lab.prompts();
      expect(lab.screen.text()).not.toContain("v60 ");
      lab.type(`.vars${ENTER}`);
      await lab.shows(/-- \d+ more lines/);
      lab.type("a");
      await lab.shows(/v60 [\s\S]*restlab>/);
    });

    test("the URL of --demo is not saved, and a reset keeps it", async () => {
      const cwd = makeFolder();
      const lab = openRestlab(runtime, ["--demo", "--var", "id=2"], { cwd });
      await lab.prompts();
      lab.type(`GET {{base}}/users/1${ENTER}`);
      await lab.shows("Ada Lovelace");
      await lab.prompts();
      lab.type(`.write out.http${ENTER}`);
      await lab.shows("Note: {{base}} is the embedded API: run the file with --demo");
      expect(readFileSync(join(cwd, "out.http"), "utf8")).not.toContain("127.0.0.1");
      await lab.prompts();
      lab.type(`.reset${ENTER}`);
      await lab.prompts();
      lab.type(`GET {{base}}/users/{{id}}${ENTER}`);
      await lab.shows("Alan Turing");
    });

    test("a reset after a run keeps the initial variables", async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, "in.http"), "GET {{base}}/users/1\n");
      const args = ["run", "--demo", "--interactive", "--var", "id=2", "in.http"];
      const lab = openRestlab(runtime, args, { cwd });
      await lab.prompts();
      lab.type(`.reset${ENTER}`);
      await lab.prompts();
      lab.type(`GET {{base}}/users/{{id}}${ENTER}`);
      await lab.shows("Alan Turing");
    });

    test("a body is saved, but not over an existing file; reset forgets, clear keeps", async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, "there.json"), "mine");
      const lab = open({ cwd });
      await lab.prompts();
      lab.type(`.save nothing.json${ENTER}`);
      await lab.shows("Nothing has been answered yet");
      await lab.prompts();
      lab.type(`GET {{base}}/users/1${ENTER}`);
      await lab.shows("Ada Lovelace");
      await lab.prompts();
      lab.type(`.save there.json${ENTER}`);
      await lab.shows("--force");
      await lab.prompts();
      lab.type(`.save user.json${ENTER}`);
      await lab.shows("user.json");
      await lab.prompts();
      expect(JSON.parse(readFileSync(join(cwd, "user.json"), "utf8")).name).toBe("Ada Lovelace");
      expect(existsSync(join(cwd, "nothing.json"))).toBe(false);
      lab.type(`.clear${ENTER}`);
      await lab.shows(/^restlab>$/);
      lab.type(`.last${ENTER}`);
      await lab.shows("Ada Lovelace");
      await lab.prompts();
      lab.type(`.reset${ENTER}`);
      await lab.prompts();
      lab.type(`.clear${ENTER}`);
      await lab.shows(/^restlab>$/);
      lab.type(`.last${ENTER}`);
      await lab.shows("Nothing has been answered yet");
      expect(readFileSync(join(cwd, "there.json"), "utf8")).toBe("mine");
    });
  });
}

describeLong(RUNTIME);
