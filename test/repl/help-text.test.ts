import { describe, expect, test } from "vitest";
import { helpText } from "../../kernel/repl/commands/help-text.ts";
import { COMMANDS } from "../../kernel/repl/commands/table.ts";

describe("helpText", () => {
  test.each([40, 41, 60, 72, 73, 80, 100, 200])("no line is wider than %i columns", (columns) => {
    for (const line of helpText(COMMANDS, columns).split("\n")) {
      expect(line.length).toBeLessThan(columns);
    }
  });

  test("each command stands in it with its whole line", () => {
    const text = helpText(COMMANDS, 60).replace(/\s+/g, " ");
    for (const { name, usage, summary } of COMMANDS.values()) {
      expect(text).toContain([`.${name}`, usage, summary].filter((it) => it !== "").join(" "));
    }
  });

  test("a width that is not known is 80 columns", () => {
    expect(helpText(COMMANDS, 0)).toBe(helpText(COMMANDS, 80));
  });
});
