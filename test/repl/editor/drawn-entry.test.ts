import { describe, expect, test } from "vitest";
import { createDrawnEntry } from "../../../kernel/repl/editor/drawn-entry.ts";
import type { Drawing } from "../../../kernel/repl/editor/lay-out.ts";
import { createScreen } from "../screen.ts";

function drawing(rows: readonly string[], cursorRow = rows.length - 1): Drawing {
  const widths = rows.map((row) => row.length);
  return { rows, widths, cursorRow, cursorColumn: widths[cursorRow] ?? 0 };
}

function open(height = 5) {
  const screen = createScreen(20, height);
  const written: string[] = [];
  const write = (text: string): void => {
    written.push(text);
    screen.write(text);
  };
  return { screen, written, entry: createDrawnEntry({ write, columns: () => 20 }) };
}

describe("an entry on the terminal", () => {
  test.each<[before: string[], after: string[]]>([
    [["> a"], ["> ab"]],
    [["> long"], ["> a"]],
    [["> a", ". b", ". c"], ["> a"]],
    [
      ["> a", ". b", ". c"],
      ["> a", ". x"],
    ],
    [["> a"], ["> a", ". b", ". c"]],
  ])("%j is replaced by %j", (before, after) => {
    for (const row of [0, before.length - 1]) {
      const { screen, entry } = open();
      entry.draw(drawing(before, row));
      entry.draw(drawing(after));
      expect(screen.text()).toBe(after.join("\n"));
      expect(screen.cursor).toEqual({ row: after.length - 1, column: after.at(-1)?.length });
    }
  });

  test("is not erased from the first row of the screen on, which tmux would keep in its history", () => {
    const { written, entry } = open();
    entry.draw(drawing(["> "]));
    for (const rows of [["> a"], ["> a", ". b"], ["> a", ". bc"], ["> "]]) {
      entry.draw(drawing(rows));
      expect(written.at(-1)?.replaceAll("\u001b", "ESC")).not.toMatch(/^\r(?:ESC\[\d*A)?ESC\[J/);
    }
  });

  test("is left as a whole when it is taller than the screen", () => {
    const { screen, entry } = open();
    const rows = Array.from({ length: 12 }, (_, index) => `. line ${index}`);
    entry.draw(drawing(rows.slice(-5)));
    entry.leave(drawing(rows), "^C");
    expect(screen.text()).toBe(`${rows.join("\n")}^C`);
  });
});
