import {
  cutToWidth,
  graphemes,
  graphemeWidth,
  textWidth,
  toVisibleLine,
} from "../../../lib/display/mod.ts";
import type { Stretch, Style } from "./highlight.ts";
import type { EditorState } from "./state.ts";

/** Colours of an entry. */
export interface EditorPaint {
  style(text: string, style: Style): string;
  prompt(text: string): string;
  faint(text: string): string;
  chosen(text: string): string;
}

/** How an entry is to be drawn. */
export interface Layout {
  /** Columns and rows of the terminal. */
  readonly columns: number;
  readonly rows: number;
  /** Before the first line and before all others, equally wide. */
  readonly prompt: string;
  readonly continuation: string;
  readonly stretches: readonly Stretch[];
  readonly paint: EditorPaint;
}

/** Rows as a terminal is to show them, and where its cursor belongs. */
export interface Drawing {
  readonly rows: readonly string[];
  /** The widths of the rows, for finding them again in a terminal that was resized. */
  readonly widths: readonly number[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

const TAB = "    ";
/** Beyond this an unbroken line is not laid out: it would fill screens without end. */
const LONGEST_LINE = 20_000;

interface Row {
  text: string;
  width: number;
}

/** One line of the entry in rows, and the cursor where it stands in it. */
interface LaidLine {
  readonly rows: readonly Row[];
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

/**
 * Lays an entry out in rows. Of one that is taller than the screen only the rows around the cursor
 * are drawn; below the entry stands what belongs to it: the menu or the search.
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
  const lay = (index: number): LaidLine =>
    layLine(lines[index] ?? "", starts[index] ?? 0, index, state.cursor, index === current, layout);
  const here = lay(current);
  let rows: readonly Row[] = here.rows;
  let cursorRow = here.cursor?.row ?? 0;
  // From the cursor's line outwards, so that a long entry costs no more than a screen of it.
  for (let above = current - 1, under = current + 1; ; above--, under++) {
    const isMore = rows.length < room * 3 && (above >= 0 || under < lines.length);
    if (!isMore) break;
    if (above >= 0) {
      const head = lay(above).rows;
      rows = [...head, ...rows];
      cursorRow += head.length;
    }
    if (under < lines.length) rows = [...rows, ...lay(under).rows];
  }
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

function layLine(
  line: string,
  start: number,
  index: number,
  cursor: number,
  holdsCursor: boolean,
  layout: Layout,
): LaidLine {
  const { columns, paint } = layout;
  const lead = index === 0 ? layout.prompt : layout.continuation;
  const rows: Row[] = [];
  let row: Row = { text: paint.prompt(lead), width: textWidth(lead) };
  let place: { row: number; column: number } | undefined;
  let style: Style | undefined;
  let pending = "";
  const stretches = layout.stretches.filter(
    (stretch) => stretch.end > start && stretch.start < start + line.length,
  );
  let next = 0;
  const flush = (): void => {
    if (pending !== "") row.text += style === undefined ? pending : paint.style(pending, style);
    pending = "";
  };
  const wrap = (): void => {
    flush();
    rows.push(row);
    row = { text: "", width: 0 };
  };
  const shown = line.length > LONGEST_LINE ? aroundCursor(line, cursor - start) : line;
  const skipped = shown === line ? 0 : line.indexOf(shown);
  for (const { segment, index: at } of charactersOf(shown)) {
    const offset = start + skipped + at;
    const visible = segment === "\t" ? TAB : toVisibleLine(segment);
    const width = visible === segment ? graphemeWidth(segment) : textWidth(visible);
    if (row.width + width > columns) wrap();
    if (offset === cursor && holdsCursor) place = { row: rows.length, column: row.width };
    while ((stretches[next]?.end ?? Number.POSITIVE_INFINITY) <= offset) next++;
    const stretch = stretches[next];
    const now = stretch !== undefined && stretch.start <= offset ? stretch.style : undefined;
    if (now !== style) {
      flush();
      style = now;
    }
    pending += visible;
    row.width += width;
  }
  flush();
  if (holdsCursor && place === undefined) {
    // Behind the last column a terminal has no place for its cursor.
    if (row.width >= columns) wrap();
    place = { row: rows.length, column: row.width };
  }
  rows.push(row);
  return { rows, cursor: place };
}

function aroundCursor(line: string, cursor: number): string {
  const from = Math.max(0, Math.min(cursor, line.length) - LONGEST_LINE / 2);
  return line.slice(from, from + LONGEST_LINE);
}

function* charactersOf(line: string): Generator<{ segment: string; index: number }> {
  // Most lines are ASCII, and the segmenter is slow.
  if (/^[\t\x20-\x7e]*$/.test(line)) {
    for (let index = 0; index < line.length; index++) yield { segment: line[index] ?? "", index };
  } else yield* graphemes(line);
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

const MENU_ROWS = 7;

function menuRows({ menu }: EditorState, { columns, rows, paint }: Layout): readonly Row[] {
  if (menu === undefined) return [];
  const { candidates, selected } = menu;
  const height = Math.max(1, Math.min(MENU_ROWS, rows - 3, candidates.length));
  const last = candidates.length - height;
  const from = Math.min(last, Math.max(0, selected - Math.floor(height / 2)));
  const shown = candidates.slice(from, from + height);
  const widest = Math.max(...shown.map(({ text }) => textWidth(text)));
  const column = Math.min(40, widest);
  const list = shown.map(({ text, kind, detail }, index) => {
    const name = cutFor(toVisibleLine(text), column);
    const blanks = " ".repeat(Math.max(0, column - textWidth(name)));
    const label = ` ${name}${blanks} `;
    const remark = cutFor(toVisibleLine(detail ?? kind), Math.max(0, columns - column - 4));
    const isChosen = from + index === selected;
    const width = textWidth(label) + 1 + textWidth(remark);
    const head = isChosen ? paint.chosen(label) : label;
    return { text: `${head} ${paint.faint(remark)}`, width };
  });
  if (candidates.length === height) return list;
  const text = cutFor(` ${from + 1} to ${from + height} of ${candidates.length}`, columns);
  return [...list, { text: paint.faint(text), width: textWidth(text) }];
}

function cutFor(text: string, columns: number): string {
  return columns < 1 ? "" : cutToWidth(text, columns);
}
