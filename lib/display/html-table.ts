import type { Cell, CellType, FieldsBlock, HeadersBlock, TableBlock } from "./block.ts";
import { cellText, nameText } from "./cell.ts";
import { escapeHtml, escapeHtmlText } from "./escape.ts";
import { fieldsRemark, nestedTableRemark, tableRemark } from "./form.ts";
import { toVisibleLine } from "./visible.ts";
import { textWidth } from "./width.ts";

// Classic Notebook aligns every cell to the right, so each cell needs a style. Border and padding are
// attributes of the table, which need no bytes for each cell.
const TABLE_TAG =
  '<table border="1" cellpadding="4" style="border-collapse:collapse;border-color:#8888;color:inherit;margin:4px 0;overflow-wrap:anywhere';
const TABLE = `${TABLE_TAG}">`;
/** Scrollable content has to be reachable by keyboard. */
const MAX_COLUMNS = 6;
/** Classic Notebook removes the triangle that shows that something is folded. */
export const SUMMARY = '<summary style="display:list-item;cursor:pointer">';

const LEFT = "text-align:left";
const RIGHT = "text-align:right;font-variant-numeric:tabular-nums";
const COLORS: Readonly<Record<CellType, string>> = {
  string: ";color:var(--string)",
  number: ";color:var(--number)",
  boolean: ";color:var(--literal)",
  null: ";color:var(--literal)",
  structure: "",
  text: "",
};
const NOWRAP = ";white-space:nowrap";
/** A column of at most this many characters is not wrapped. */
const NARROW = 12;
/** A column of at most this many characters is wrapped only on a small page and on paper. */
const MEDIUM = 24;
/** More columns are wider than paper. */
const MAX_PAPER_COLUMNS = 8;
/** A key of at most this many characters is not wrapped. */
const LONGEST_KEY = 24;
// A date would wrap at its hyphens.
const DATE = /^\d{4}-\d\d-\d\d\S{0,20}$/;

/** Writes a table. */
export function tableToHtml(block: TableBlock): string {
  const focus = block.columns.length > MAX_COLUMNS ? ' tabindex="0"' : "";
  const remark = tableRemark(block);
  const table = scrolled(layTable(block), focus);
  return remark === undefined ? table : `${table}\n${small(remark)}`;
}

/** Makes a wide table scroll, also in a layout that grows with its content, such as that of nbconvert. */
function scrolled(table: string, focus = ""): string {
  return `<div${focus} style="overflow-x:auto;contain:inline-size">\n${table}\n</div>`;
}

function layTable(block: TableBlock): string {
  const texts = block.rows.map((row) => row.map(cellText));
  const layout = block.columns.length > MAX_PAPER_COLUMNS ? WIDER_THAN_PAPER : FITS_PAPER;
  const styles = block.columns.map((_, index) => layColumn(block, texts, index, layout));
  const head = block.columns.map(
    (column, index) =>
      `<th scope="col"${titled(block.columnPaths?.[index])} style="${styles[index]?.head}">${escapeHtmlText(nameText(column))}</th>`,
  );
  const rows = block.rows.map((row, at) => {
    const cells = row.map((cell, index) => {
      const text = escapeHtmlText(texts[at]?.[index] ?? "");
      const shown = cell.type === "structure" ? text.replaceAll(",", ",<wbr>") : text;
      return `<td${titled(fullText(cell))} style="${styles[index]?.cell(cell)}">${shown}</td>`;
    });
    return `<tr${titled(block.rowPaths?.[at])}${layout.row}>${cells.join("")}</tr>`;
  });
  return `${layout.table}\n<thead><tr${layout.row}>${head.join("")}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`;
}

interface TableLayout {
  readonly table: string;
  readonly row: string;
  /** The style of the cells of narrow columns, of wide ones, and of the heads of wide ones. */
  readonly narrow: string;
  readonly wide: string;
  readonly wideHead: (minWidth: string) => string;
}

const FITS_PAPER: TableLayout = {
  table: TABLE,
  row: "",
  narrow: NOWRAP,
  wide: "",
  wideHead: (minWidth) => `;min-width:${minWidth}`,
};

/**
 * Paper cannot be scrolled, so columns become as narrow as necessary there. Front ends set `white-space` for rows
 * and cells, which therefore have to inherit that of the table.
 */
const WIDER_THAN_PAPER: TableLayout = {
  table: `${TABLE_TAG}${unlessOnPaper("white-space", "nowrap", "normal")}">`,
  row: ' style="white-space:inherit"',
  narrow: ";white-space:inherit",
  wide: ";white-space:normal",
  wideHead: (minWidth) => `;white-space:normal${unlessOnPaper("min-width", minWidth, "0")}`,
};

/** A style that differs on paper. Without `if()`, as in Firefox, it is the same there. */
function unlessOnPaper(property: string, value: string, onPaper: string): string {
  return `;${property}:${value};${property}:if(media(overflow-block:paged):${onPaper};else:${value})`;
}

interface ColumnStyle {
  readonly head: string;
  readonly cell: (cell: Cell) => string;
}

/** Chooses the styles of a column by its content: wide columns wrap before narrow ones, and JSON before both. */
function layColumn(
  { rows }: TableBlock,
  texts: readonly (readonly string[])[],
  index: number,
  { narrow, wide, wideHead }: TableLayout,
): ColumnStyle {
  const widest = texts.reduce((most, row) => {
    const text = row[index] ?? "";
    return DATE.test(text) ? most : Math.max(most, textWidth(text));
  }, 0);
  const isNarrow = widest <= NARROW;
  const isStructure = rows.some((row) => row[index]?.type === "structure");
  const least = widest <= MEDIUM && !isStructure ? `clamp(9ch,30vw - 18ch,${widest}ch)` : "9ch";
  const isNumeric = rows.some((row) => row[index]?.type === "number");
  return {
    head: (isNumeric ? RIGHT : LEFT) + (isNarrow ? narrow : wideHead(least)),
    cell: ({ type }) =>
      (type === "number" ? RIGHT : LEFT) + COLORS[type] + (isNarrow ? narrow : wide),
  };
}

/** Writes keys and values. */
export function fieldsToHtml(block: FieldsBlock): string {
  return scrolled(layFields(block));
}

function layFields(block: FieldsBlock): string {
  const rows = block.fields.map(({ key, value, path, nested }) => {
    const content = nested === undefined ? escapeHtmlText(cellText(value)) : nest(nested, value);
    const color = nested === undefined ? COLORS[value.type] : "";
    const wrap = textWidth(key) <= LONGEST_KEY ? NOWRAP : "";
    return `<tr><th scope="row"${titled(path)} style="${LEFT};vertical-align:top${wrap}">${escapeHtmlText(nameText(key))}</th><td${titled(fullText(value))} style="${LEFT}${color}">${content}</td></tr>`;
  });
  return `${TABLE}\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>${below(fieldsRemark(block))}`;
}

function below(remark: string | undefined): string {
  return remark === undefined ? "" : `\n${small(remark)}`;
}

function nest(block: FieldsBlock | TableBlock, count: Cell): string {
  const content =
    block.kind === "table" ? layTable(block) + below(nestedTableRemark(block)) : layFields(block);
  return `<details open>${SUMMARY}${escapeHtmlText(cellText(count))}</summary>\n${content}\n</details>`;
}

/** Writes headers without their title. */
export function headersToHtml(headers: HeadersBlock["headers"]): string {
  const rows = headers.map(
    ([name, value]) =>
      `<tr><th scope="row" style="${LEFT};vertical-align:top${textWidth(name) <= LONGEST_KEY ? NOWRAP : ""}">${escapeHtmlText(toVisibleLine(name))}</th><td style="${LEFT}">${escapeHtmlText(toVisibleLine(value))}</td></tr>`,
  );
  return `${TABLE}\n${rows.join("\n")}\n</table>`;
}

/** Writes a remark in small letters. */
export function small(text: string): string {
  return `<p style="margin:4px 0"><small>${escapeHtmlText(toVisibleLine(text))}</small></p>`;
}

function fullText({ full, type }: Cell): string | undefined {
  return full === undefined ? undefined : cellText({ text: full, type });
}

function titled(text: string | undefined): string {
  return text === undefined ? "" : ` title="${escapeHtml(toVisibleLine(text))}"`;
}
