import { graphemes, graphemeWidth, textWidth, toVisibleLine } from "../../../lib/display/mod.ts";
import type { Stretch, Style } from "./highlight.ts";
import type { EditorPaint } from "./paint.ts";

export interface Row {
  text: string;
  width: number;
}

interface Position {
  readonly row: number;
  readonly column: number;
}

/** A line of an entry; `cursor` is the offset of the entry's cursor from `start`. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly cursor: number;
  readonly isFirst: boolean;
  readonly isCurrent: boolean;
}

/** The rows of a line, and the cursor if it is in this line. */
export interface LaidLine {
  readonly rows: readonly Row[];
  readonly cursor: Position | undefined;
}

export interface LineLayout {
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

export function layLine(
  { text, start, cursor, isFirst, isCurrent }: Line,
  layout: LineLayout,
): LaidLine {
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
