import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../../kernel/repl/commands.ts";
import { useDemoTerminals } from "./demo-terminals.ts";
import { makeFolder } from "./terminal.ts";

const { open } = useDemoTerminals("node");

test("the examples of .help run in order", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "requests.http"), "GET {{base}}/users/2\n");
  writeFileSync(join(cwd, "http-client.env.json"), '{"dev": {"place": "here"}}');
  const lab = open({ cwd, env: { EDITOR: "true" } });
  await lab.prompts();
  lab.type("GET {{base}}/users/1\r");
  await lab.shows("Ada Lovelace");
  await lab.prompts();
  for (const { name, examples = [] } of COMMANDS.values()) {
    for (const [line] of examples) {
      lab.type(`${line}\r`);
      await lab.shows(`restlab> ${line}`);
      if (line === ".set --secret token") {
        await lab.shows("Value of token:");
        lab.type("typed-unseen\r");
      }
      // The editor gives the last entry back, which is then sent.
      if (name === "edit") await lab.shows(/restlab> GET [^\n]*$/);
      if (name === "edit") lab.type("\r");
      await lab.prompts();
    }
  }
  lab.type(".timeout 7\r");
  await lab.shows("Time limit: 7 s");
  const text = lab.screen.text();
  expect(text).not.toMatch(/failed|Error|is no |takes nothing/);
  expect(text).toMatch(/answer\.json[\s\S]*Alan Turing[\s\S]*written to session\.http/);
});
