import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../kernel/repl/commands.ts";
import { BINDINGS } from "../../kernel/repl/editor/bindings.ts";
import { usageOf } from "../../kernel/repl/help.ts";

const page = readFileSync(join(import.meta.dirname, "../../notebooks/reference-prompt.md"), "utf8");

/** The rows of the table below a heading, each by its first cells without marks. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, section = ""] = page.split(`## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  return [...table.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) =>
    row.split(/(?<!\\) \| /).map((cell) => cell.replaceAll("\\|", "|").replaceAll("`", "")),
  );
}

describe("notebooks/reference-prompt.md", () => {
  test("has every command with its usage and line, in the order of .help", () => {
    const rows = rowsBelow("Commands").filter(([head]) => head?.startsWith("."));
    expect(rows).toEqual([...COMMANDS.values()].map((it) => [usageOf(it), it.summary]));
  });

  test("names keys that are bound", () => {
    const keys = rowsBelow("Keys").flatMap(([head = ""]) => head.split(", "));
    const named = keys.filter((key) => /^(?:Ctrl|Alt)-.$/.test(key));
    const inSearch = new Set(["ctrl-s"]);
    expect(named.length).toBeGreaterThan(15);
    for (const key of named) {
      const name = key.toLowerCase();
      expect(Object.hasOwn(BINDINGS, name) || inSearch.has(name), key).toBe(true);
    }
  });
});
