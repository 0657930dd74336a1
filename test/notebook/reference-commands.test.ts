import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../support/folders.ts";
import { runInShell, runPageCommands } from "./page-commands.ts";

const FOLDER = join(import.meta.dirname, "../../notebooks");

test.each(
  ["bodies", "check", "import", "prompt", "streams", "test", "verify"].map(
    (name) => `reference-${name}.md`,
  ),
)("the commands of %s do what the page shows", (name) => runPageCommands(join(FOLDER, name)));

test("the commands of README that need no other server do what it says", async () => {
  const readme = readFileSync(join(FOLDER, "../README.md"), "utf8");
  const commands = readme.match(/^restlab \S.*(?: --demo|tour\.ipynb).*$/gm) ?? [];
  expect(commands.length).toBeGreaterThan(4);
  const folder = makeFolder("readme");
  cpSync(join(FOLDER, "01-tour.ipynb"), join(folder, "notebooks/01-tour.ipynb"));
  for (const command of commands) {
    // Only a request of the command line has a status that is to be a success.
    const [, plain = command] = /^(.*?) *(?:#|$)/.exec(command) ?? [];
    const line = plain.startsWith("restlab http") ? `${plain} --check-status` : plain;
    const { status, output } = await runInShell(line, folder);
    expect(status, `${line}\n${output}`).toBe(0);
  }
});
