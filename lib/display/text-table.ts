import type { TableBlock } from "./block.ts";
import { cellText, nameText } from "./cell.ts";
import { nestedTableRemark, type Paint, paintCell, tableRemark } from "./form.ts";
import { toVisibleLine } from "./visible.ts";
import { cutToWidth, padToWidth, textWidth } from "./width.ts";

const NARROWEST = 6;
const GAP = "  ";

interface TableLayout {
  readonly width: number;
  readonly paint: Paint;
  /** Whether the title above the table has the count. */
  readonly nested?: boolean;
}

/** Lays out a table in columns, cut so that each row fits the width. */
export function layTable(
  block: TableBlock,
  { width, paint, nested }: TableLayout,
): readonly string[] {
  const count = Math.min(
    block.columns.length,
    Math.floor((width + GAP.length) / (NARROWEST + GAP.length)),
  );
  const head = block.columns.slice(0, count).map(nameText);
  const rows = block.rows.map((row) =>
    row.slice(0, count).map((cell) => ({ cell, text: cellText(cell) })),
  );
  const natural = head.map((column, index) =>
    rows.reduce(
      (most, row) => Math.max(most, textWidth(row[index]?.text ?? "")),
      textWidth(column),
    ),
  );
  const widths = shareWidths(natural, width - GAP.length * (count - 1));
  const numeric = head.map((_, index) => rows.some((row) => row[index]?.cell.type === "number"));
  const lay = (text: string, index: number, right: boolean): string => {
    const columns = widths[index] ?? NARROWEST;
    const cut = cutToWidth(text, columns);
    if (right) return padToWidth(cut, columns, "left");
    return index === count - 1 ? cut : padToWidth(cut, columns, "right");
  };
  const shown = { ...block, columns: block.columns.slice(0, count) };
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
