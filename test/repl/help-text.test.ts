import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../kernel/repl/commands.ts";
import { commandHelp, helpText, usageOf } from "../../kernel/repl/help.ts";

describe("helpText", () => {
  test.each([1, 20, 32, 40, 41, 60, 72, 73, 80, 100, 200])("lines fit %i columns", (columns) => {
    for (const line of helpText(COMMANDS, columns).split("\n")) {
      // A word is not broken, and less than 20 columns are not cared for.
      const isWord = !line.trim().includes(" ");
      expect(line.length < Math.max(20, columns) || isWord, line).toBe(true);
    }
  });

  test("contains each command with its whole summary", () => {
    const text = helpText(COMMANDS, 60).replace(/\s+/g, " ");
    for (const { name, usage, summary } of COMMANDS.values()) {
      expect(text).toContain([`.${name}`, usage, summary].filter((it) => it !== "").join(" "));
    }
  });

  test("an unknown width counts as 80 columns", () => {
    expect(helpText(COMMANDS, 0)).toBe(helpText(COMMANDS, 80));
  });
});

describe("commandHelp", () => {
  test.each([...COMMANDS.values()].map((command) => [usageOf(command), command] as const))(
    "%s: its line, and lines to try where it takes an argument",
    (usage, command) => {
      const [first = "", ...lines] = commandHelp(command, 100).split("\n");
      expect(first.startsWith(`${usage}: `)).toBe(true);
      const shown = lines.filter((line) => line.startsWith(`  .${command.name}`));
      expect(shown).toHaveLength(command.examples?.length ?? 0);
      expect(shown.length > 0 || command.usage === "").toBe(true);
    },
  );
});
