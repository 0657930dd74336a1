import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { helpOf } from "../../kernel/cli/help.ts";

const FOLDER = join(import.meta.dirname, "../../notebooks");

test.each([
  ["import", "reference-import.md"],
  ["test", "reference-test.md"],
  ["verify", "reference-verify.md"],
])("the options of restlab %s are those of %s", (command, name) => {
  const page = readFileSync(join(FOLDER, name), "utf8");
  const [, options = ""] = helpOf(command)?.split(/\n(?:Selection|Options):\n/) ?? [];
  const known = new Set([...options.matchAll(/^ {2,6}(?:-\w, )?(--[\w-]+)/gm)].map(([, it]) => it));
  expect(known.size).toBeGreaterThan(4);
  const named = new Set(page.match(/(?<![\w-])--[a-z][\w-]+/g));
  expect([...known].filter((option) => !named.has(option ?? ""))).toEqual([]);
  // Others belong to the commands that the page names besides.
  const others = ["--output", "--nbconvert", "--openapi", "--env", "--var", "--brief"];
  expect([...named].filter((it) => !known.has(it) && !others.includes(it))).toEqual([]);
});
