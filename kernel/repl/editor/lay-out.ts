import {
  cutToWidth,
  graphemes,
  graphemeWidth,
  textWidth,
  toVisibleLine,
} from "../../../lib/display/mod.ts";
import type { Stretch, Style } from "./highlight.ts";
import type { EditorPaint } from "./paint.ts";
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

interface Row {
  text: string;
  width: number;
}

interface Position {
  readonly row: number;
  readonly column: number;
}

/** A line of an entry; `cursor` is the offset of the entry's cursor from `start`. */
interface Line {
  readonly text: string;
  readonly start: number;
  readonly cursor: number;
  readonly isFirst: boolean;
  readonly isCurrent: boolean;
}

/** The rows of a line, and the cursor if it is in this line. */
interface LaidLine {
  readonly rows: readonly Row[];
  readonly cursor: Position | undefined;
}

interface LineLayout {
  /** The width of the terminal. */
  readonly columns: number;
  /** Precede the first line and each further line; both have the same width. */
  readonly prompt: string;
  readonly continuation: string;
  readonly stretches: readonly Stretch[];
  readonly paint: EditorPaint;
}

const TAB = "    ";
/** Only this part of a longer line is laid out: it fills a screen anyway. */
const LONGEST_LINE = 20_000;

function layLine({ text, start, cursor, isFirst, isCurrent }: Line, layout: LineLayout): LaidLine {
  const rows = new RowBuilder(layout, isFirst ? layout.prompt : layout.continuation);
  const styleAt = createStyleLookup(
    layout.stretches.filter((it) => it.end > start && it.start < start + text.length),
  );
  const from = windowStart(text, cursor);
  let place: Position | undefined;
  for (const { segment, index } of charactersOf(text.slice(from, from + LONGEST_LINE))) {
    const offset = from + index;
    const visible = segment === "\t" ? TAB : toVisibleLine(segment);
    const width = visible === segment ? graphemeWidth(segment) : textWidth(visible);
    rows.makeRoom(width);
    if (isCurrent && offset === cursor) place = rows.position();
    rows.add(visible, width, styleAt(start + offset));
  }
  if (isCurrent && place === undefined) {
    // A terminal has no cursor position after its last column.
    rows.makeRoom(1);
    place = rows.position();
  }
  return { rows: rows.finish(), cursor: place };
}

/** Fills rows of limited width with styled text. */
class RowBuilder {
  readonly #layout: LineLayout;
  readonly #rows: Row[] = [];
  #row: Row;
  #style: Style | undefined;
  #pending = "";

  constructor(layout: LineLayout, lead: string) {
    this.#layout = layout;
    this.#row = { text: layout.paint.prompt(lead), width: textWidth(lead) };
  }

  position(): Position {
    return { row: this.#rows.length, column: this.#row.width };
  }

  /** Begins a new row if this width does not fit. */
  makeRoom(width: number): void {
    if (this.#row.width + width <= this.#layout.columns) return;
    this.#flush();
    this.#rows.push(this.#row);
    this.#row = { text: "", width: 0 };
  }

  add(text: string, width: number, style: Style | undefined): void {
    if (style !== this.#style) this.#flush();
    this.#style = style;
    this.#pending += text;
    this.#row.width += width;
  }

  finish(): readonly Row[] {
    this.#flush();
    return [...this.#rows, this.#row];
  }

  #flush(): void {
    const text = this.#pending;
    const style = this.#style;
    const isPlain = text === "" || style === undefined;
    this.#row.text += isPlain ? text : this.#layout.paint.style(text, style);
    this.#pending = "";
  }
}

/** @returns The style at an offset; offsets have to be looked up in ascending order. */
function createStyleLookup(stretches: readonly Stretch[]): (offset: number) => Style | undefined {
  let next = 0;
  return (offset) => {
    while ((stretches[next]?.end ?? Number.POSITIVE_INFINITY) <= offset) next++;
    const stretch = stretches[next];
    return stretch !== undefined && stretch.start <= offset ? stretch.style : undefined;
  };
}

/** Where the visible part of a line begins: around the cursor if the line is very long. */
function windowStart(line: string, cursor: number): number {
  if (line.length <= LONGEST_LINE) return 0;
  return Math.max(0, Math.min(cursor, line.length) - LONGEST_LINE / 2);
}

function* charactersOf(line: string): Generator<{ segment: string; index: number }> {
  // The segmenter is slow, and most lines are ASCII.
  if (/^[\t\x20-\x7e]*$/.test(line)) {
    for (let index = 0; index < line.length; index++) yield { segment: line[index] ?? "", index };
  } else yield* graphemes(line);
}
