import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startSearch } from "../../../kernel/repl/editor/bindings.ts";
import { type Layout, layOut, menuHeight } from "../../../kernel/repl/editor/lay-out.ts";
import { type EditorState, startEditing } from "../../../kernel/repl/editor/state.ts";
import { textWidth } from "../../../lib/display/mod.ts";

const same = (text: string): string => text;
const LAYOUT: Layout = {
  columns: 12,
  rows: 10,
  prompt: "> ",
  continuation: ". ",
  stretches: [],
  paint: { style: same, prompt: same, faint: same, selected: (text) => text.replace(/^ /, ">") },
};

const lay = (state: EditorState, layout: Partial<Layout> = {}): string[] => {
  const { rows, cursorRow, cursorColumn } = layOut(state, { ...LAYOUT, ...layout });
  return [...rows, `${cursorRow}:${cursorColumn}`];
};

describe("layOut", () => {
  test.each<[string, number, string[]]>([
    ["", 0, ["> ", "0:2"]],
    ["abc", 1, ["> abc", "0:3"]],
    ["a\nb", 3, ["> a", ". b", "1:3"]],
    ["abcdefghijkl", 12, ["> abcdefghij", "kl", "1:2"]],
    ["abcdefghij", 10, ["> abcdefghij", "", "1:0"]],
    ["abcdefghi日", 9, ["> abcdefghi", "日", "1:0"]],
    ["日本", 1, ["> 日本", "0:4"]],
    ["a\tb", 2, ["> a    b", "0:7"]],
    ["a\u0007\u009b", 1, ["> a␇‹U+009B›", "0:3"]],
    ["👨‍👩‍👧x", 8, ["> 👨‍👩‍👧x", "0:4"]],
  ])("%j with the cursor at %i", (text, cursor, expected) => {
    expect(lay({ ...startEditing(text), cursor })).toEqual(expected);
  });

  test("draws the rows around the cursor of a tall entry", () => {
    const text = Array.from({ length: 100 }, (_, index) => `line${index}`).join("\n");
    const middle = { ...startEditing(text), cursor: text.indexOf("line50") };
    const rows = lay(middle, { rows: 5 });
    expect(rows).toHaveLength(6);
    expect(rows).toContain(". line50");
    expect(lay({ ...middle, cursor: 0 }, { rows: 3 })).toEqual([
      "> line0",
      ". line1",
      ". line2",
      "0:2",
    ]);
    expect(lay({ ...middle, cursor: text.length }, { rows: 2 }).slice(0, 2)).toEqual([
      ". line98",
      ". line99",
    ]);
  });

  test("stretches are styled, also across the end of a row", () => {
    const paint = { ...LAYOUT.paint, style: (text: string) => `<${text}>` };
    const stretches = [{ start: 8, end: 12, style: "url" as const }];
    expect(lay(startEditing("abcdefghijkl"), { paint, stretches }).slice(0, 2)).toEqual([
      "> abcdefgh<ij>",
      "<kl>",
    ]);
  });

  test("a menu and a search are below the entry and do not move the cursor", () => {
    const candidates = Array.from({ length: 20 }, (_, index) => ({
      text: `name${index}`,
      kind: "k",
    }));
    const menu = { start: 0, original: "n", candidates, selected: 10 };
    const rows = lay({ ...startEditing("n"), menu }, { columns: 30, rows: 10 });
    expect(rows[0]).toBe("> n");
    expect(rows).toContain(">name10  k");
    expect(rows.at(-2)).toBe(" 8 to 14 of 20");
    expect(rows.at(-1)).toBe("0:3");
    expect(lay(startSearch(startEditing("x")), { columns: 40 })[1]).toMatch(/^ search: _/);
  });

  test("a menu takes the room below the entry, with a signature above it", () => {
    const candidates = Array.from({ length: 60 }, (_, at) => ({ text: `n${at}`, kind: "k" }));
    const menu = { start: 0, original: "n", candidates, selected: -1, signature: "f(a: string)" };
    const state = { ...startEditing("a\nn"), menu };
    for (const rows of [10, 24, 40]) {
      const drawing = layOut(state, { ...LAYOUT, columns: 40, rows });
      expect([drawing.rows.length, drawing.cursorRow]).toEqual([rows - 1, 1]);
      expect(drawing.rows[2]).toBe(" f(a: string)");
    }
    expect(menuHeight(state, { rows: 24 })).toBe(19);
    const long = { ...startEditing("a\n".repeat(50)), menu };
    expect(layOut(long, { ...LAYOUT, rows: 24 }).rows).toHaveLength(24);
  });

  test("no row is wider than the terminal, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.integer({ min: 4, max: 30 }),
        fc.integer({ min: 2, max: 8 }),
        (text, columns, rows) => {
          const drawing = layOut(startEditing(text), { ...LAYOUT, columns, rows });
          expect(drawing.rows.length).toBeLessThanOrEqual(rows);
          expect(drawing.cursorRow).toBeLessThan(drawing.rows.length);
          expect(drawing.cursorColumn).toBeLessThan(columns);
          for (const row of drawing.rows) expect(textWidth(row)).toBeLessThanOrEqual(columns);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("a megabyte is drawn as fast as a screen", () => {
    const line = startEditing("x".repeat(1_000_000));
    expect(layOut(line, { ...LAYOUT, columns: 80, rows: 24 }).rows).toHaveLength(24);
    const lines = startEditing("x\n".repeat(500_000));
    expect(layOut(lines, { ...LAYOUT, columns: 80, rows: 24 }).rows).toHaveLength(24);
  });
});
