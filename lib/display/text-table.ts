import type { TableBlock } from "./block.ts";
import { cellText, nameText } from "./cell.ts";
import { nestedTableRemark, type Paint, paintCell, tableRemark } from "./form.ts";
import type { TextOptions } from "./text.ts";
import { toVisibleLine } from "./visible.ts";
import { cutToWidth, padToWidth, textWidth } from "./width.ts";

const NARROWEST = 6;
/** A cell that is cut to less can hardly be read. */
const LEGIBLE = 10;
const FEWEST = 3;
const GAP = "  ";

interface TableLayout {
  readonly width: number;
  readonly paint: Paint;
  /** Whether the title above the table has the count. */
  readonly nested?: boolean;
  readonly more?: TextOptions["more"];
}

/** Lays out a table in columns, cut so that each row fits the width. */
export function layTable(
  block: TableBlock,
  { width, paint, nested, more }: TableLayout,
): readonly string[] {
  const most = Math.min(
    block.columns.length,
    Math.floor((width + GAP.length) / (NARROWEST + GAP.length)),
  );
  const names = block.columns.slice(0, most).map(nameText);
  const texts = block.rows.map((row) =>
    row.slice(0, most).map((cell) => ({ cell, text: cellText(cell) })),
  );
  const natural = names.map((column, index) =>
    texts.reduce(
      (widest, row) => Math.max(widest, textWidth(row[index]?.text ?? "")),
      textWidth(column),
    ),
  );
  const widths = legibleWidths(natural, width);
  const count = widths.length;
  const head = names.slice(0, count);
  const rows = texts.map((row) => row.slice(0, count));
  const numeric = head.map((_, index) => rows.some((row) => row[index]?.cell.type === "number"));
  const lay = (text: string, index: number, right: boolean): string => {
    const columns = widths[index] ?? NARROWEST;
    const cut = cutToWidth(text, columns);
    if (right) return padToWidth(cut, columns, "left");
    return index === count - 1 ? cut : padToWidth(cut, columns, "right");
  };
  const hidden = block.more ? "rows" : count < block.totalColumns ? "columns" : undefined;
  const shown = {
    ...block,
    columns: block.columns.slice(0, count),
    more: hidden && (more?.(hidden) ?? block.more),
  };
  const remark = nested === true ? nestedTableRemark(shown) : tableRemark(shown);
  return [
    head
      .map((column, index) => paint.key(lay(column, index, numeric[index] === true)))
      .join(GAP)
      .trimEnd(),
    paint.fact(widths.map((columns) => "─".repeat(columns)).join(GAP)),
    ...rows.map((row) =>
      row
        .map(({ cell, text }, index) =>
          paintCell(paint, cell, lay(text, index, cell.type === "number")),
        )
        .join(GAP)
        .trimEnd(),
    ),
    ...(remark === undefined ? [] : [paint.fact(toVisibleLine(remark))]),
  ];
}

/** The widths of the first columns: as many as get what they need, or {@link LEGIBLE}; the remark counts the others. */
function legibleWidths(natural: readonly number[], width: number): number[] {
  for (let count = natural.length; ; count--) {
    const needs = natural.slice(0, count);
    const widths = shareWidths(needs, width - GAP.length * (count - 1));
    const isLegible = widths.every((one, at) => one >= Math.min(needs[at] ?? 0, LEGIBLE));
    if (isLegible || count <= FEWEST) return widths;
  }
}

/** Narrow columns keep their width, wide ones share the remaining room. */
function shareWidths(natural: readonly number[], room: number): number[] {
  const widths = natural.slice();
  const byWidth = natural
    .map((width, index) => ({ width, index }))
    .sort((a, b) => a.width - b.width);
  let left = room;
  byWidth.forEach(({ width, index }, position) => {
    const share = Math.floor(left / (byWidth.length - position));
    widths[index] = Math.min(width, Math.max(share, 1));
    left -= widths[index] ?? 0;
  });
  return widths;
}
