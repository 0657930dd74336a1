import { cutToWidth, textWidth, toVisibleLine } from "../../../lib/display/mod.ts";
import { type LaidLine, type LineLayout, layLine, type Row } from "./lay-line.ts";
import type { EditorState } from "./state.ts";

export interface Layout extends LineLayout {
  /** The height of the terminal. */
  readonly rows: number;
}

/** The rows to write to a terminal, and the position of its cursor. */
export interface Drawing {
  readonly rows: readonly string[];
  /** The widths of the rows: a resized terminal wraps them again. */
  readonly widths: readonly number[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

/**
 * Lays an entry out in rows, with the menu or the search below it. If the entry is taller than the
 * screen, only the rows around the cursor are drawn.
 */
export function layOut(state: EditorState, layout: Layout): Drawing {
  const below = [...searchRows(state, layout), ...menuRows(state, layout)];
  const room = Math.max(1, layout.rows - below.length);
  const { rows, cursorRow, cursorColumn } = layEntry(state, layout, room);
  return {
    rows: [...rows.map(({ text }) => text), ...below.map(({ text }) => text)],
    widths: [...rows, ...below].map(({ width }) => width),
    cursorRow,
    cursorColumn,
  };
}

function layEntry(
  state: EditorState,
  layout: Layout,
  room: number,
): { rows: readonly Row[]; cursorRow: number; cursorColumn: number } {
  const lines = state.text.split("\n");
  const starts = startsOf(lines);
  const current = starts.findLastIndex((start) => start <= state.cursor);
  const lay = (index: number): LaidLine => {
    const start = starts[index] ?? 0;
    const place = { start, cursor: state.cursor - start };
    const line = { text: lines[index] ?? "", ...place, isFirst: index === 0 };
    return layLine({ ...line, isCurrent: index === current }, layout);
  };
  const here = lay(current);
  const before: (readonly Row[])[] = [];
  const after: (readonly Row[])[] = [];
  let count = here.rows.length;
  const add = (side: (readonly Row[])[], index: number): void => {
    const { rows } = lay(index);
    side.push(rows);
    count += rows.length;
  };
  // From the cursor's line outwards, so that only what fits the screen is laid out.
  for (let above = current - 1, under = current + 1; ; above--, under++) {
    const isMore = count < room * 3 && (above >= 0 || under < lines.length);
    if (!isMore) break;
    if (above >= 0) add(before, above);
    if (under < lines.length) add(after, under);
  }
  const head = before.reverse().flat();
  const rows = [...head, ...here.rows, ...after.flat()];
  const cursorRow = head.length + (here.cursor?.row ?? 0);
  const last = Math.max(0, rows.length - room);
  const start = Math.min(last, Math.max(0, cursorRow - Math.floor(room / 2)));
  return {
    rows: rows.slice(start, start + room),
    cursorRow: cursorRow - start,
    cursorColumn: here.cursor?.column ?? 0,
  };
}

function startsOf(lines: readonly string[]): number[] {
  let offset = 0;
  return lines.map((line) => {
    const start = offset;
    offset += line.length + 1;
    return start;
  });
}

function searchRows({ search }: EditorState, { columns, paint }: Layout): readonly Row[] {
  if (search === undefined) return [];
  const state = search.query === "" || search.index !== undefined ? "" : "nothing found, ";
  const text = cutFor(
    ` search: ${toVisibleLine(search.query)}_  (${state}Ctrl-R older, Enter accepts it, Esc cancels)`,
    columns,
  );
  return [{ text: paint.faint(text), width: textWidth(text) }];
}

/**
 * How many candidates a menu shows: as many as there is room for below the entry, of which at least a few rows stay
 * visible.
 */
export function menuHeight({ menu, text }: EditorState, { rows }: Pick<Layout, "rows">): number {
  if (menu === undefined) return 0;
  const entry = Math.min(text.split("\n").length + 1, Math.ceil(rows / 2));
  const other = menu.signature === undefined ? 1 : 2;
  return Math.max(1, Math.min(rows - entry - other, menu.candidates.length));
}

function menuRows(state: EditorState, layout: Layout): readonly Row[] {
  const { menu } = state;
  if (menu === undefined) return [];
  const { columns, paint } = layout;
  const { candidates, selected, signature } = menu;
  const faint = (text: string): Row => {
    const cut = cutFor(` ${toVisibleLine(text)}`, columns);
    return { text: paint.faint(cut), width: textWidth(cut) };
  };
  const above = signature === undefined ? [] : [faint(signature)];
  const height = Math.min(menuHeight(state, layout), candidates.length);
  const last = candidates.length - height;
  const from = Math.min(last, Math.max(0, selected - Math.floor(height / 2)));
  const shown = candidates.slice(from, from + height);
  const widest = Math.max(0, ...shown.map(({ text }) => textWidth(text)));
  const column = Math.min(Math.max(20, Math.floor(columns / 2)), widest);
  const list = shown.map(({ text, kind, detail }, index) => {
    const name = cutFor(toVisibleLine(text), column);
    const blanks = " ".repeat(Math.max(0, column - textWidth(name)));
    const label = ` ${name}${blanks} `;
    const remark = cutFor(toVisibleLine(detail ?? kind), Math.max(0, columns - column - 4));
    const isSelected = from + index === selected;
    const width = textWidth(label) + 1 + textWidth(remark);
    const head = isSelected ? paint.selected(label) : label;
    return { text: `${head} ${paint.faint(remark)}`, width };
  });
  if (candidates.length === height) return [...above, ...list];
  return [...above, ...list, faint(`${from + 1} to ${from + height} of ${candidates.length}`)];
}

function cutFor(text: string, columns: number): string {
  return columns < 1 ? "" : cutToWidth(text, columns);
}
