import type { Cell, CellType, FieldsBlock, HeadersBlock, TableBlock } from "./block.ts";
import { cellText, nameText } from "./cell.ts";
import { escapeHtml, escapeHtmlText } from "./escape.ts";
import { fieldsRemark, nestedTableRemark, tableRemark } from "./form.ts";
import { toVisibleLine } from "./visible.ts";
import { textWidth } from "./width.ts";

// Classic Notebook aligns every cell to the right, so each cell needs a style. Border and padding are
// attributes of the table, which need no bytes for each cell.
const TABLE_TAG =
  '<table border="1" cellpadding="4" style="border-collapse:collapse;border-color:#8888;color:inherit;margin:4px 0;font-variant-numeric:tabular-nums';
/** Keys and values, which wrap. */
const FIELDS = `${TABLE_TAG};overflow-wrap:anywhere`;
/**
 * Rows and columns: on a page they take the width that they need, and what has no room is scrolled to. Paper cannot be
 * scrolled, so columns become as narrow as necessary there. Front ends set `white-space` for rows and cells, which
 * therefore have to inherit that of the table.
 */
const TABLE = `${TABLE_TAG}${unlessOnPaper("white-space", "nowrap", "normal")}${unlessOnPaper("overflow-wrap", "break-word", "anywhere")}">`;
const ROW_STYLE = 'style="white-space:inherit"';
const PLAIN = ";white-space:inherit";
const PROSE = ";white-space:normal";
/** A longer text with blanks wraps between its words. */
const LONGEST_LINE = 48;
const PROSE_WIDTH = "36ch";
/** Scrollable content has to be reachable by keyboard. */
const MAX_COLUMNS = 6;
const MAX_ROWS = 25;
/** Classic Notebook removes the triangle that shows that something is folded. */
export const SUMMARY = '<summary style="display:list-item;cursor:pointer">';

const LEFT = "text-align:left";
const RIGHT = "text-align:right";
const COLORS: Readonly<Record<CellType, string>> = {
  string: ";color:var(--string)",
  number: ";color:var(--number)",
  boolean: ";color:var(--literal)",
  null: ";color:var(--literal)",
  structure: "",
  text: "",
};
/** A key of at most this many characters is not wrapped. */
const LONGEST_KEY = 24;
// Front ends colour every other row, also of a table in a table.
const FIELD_ROW = '<tr style="background:transparent">';

/** Writes a table. */
export function tableToHtml(block: TableBlock): string {
  const remark = tableRemark(block);
  const table = scrolled(block);
  return remark === undefined ? table : `${table}\n${small(remark)}`;
}

/**
 * A table that scrolls if it is wide, also in a layout that grows with its content, such as that of nbconvert. A long
 * one has a height of its own on a page.
 */
function scrolled(block: TableBlock): string {
  const isLong = block.rows.length > MAX_ROWS;
  const focus = isLong || block.columns.length > MAX_COLUMNS ? ' tabindex="0"' : "";
  const height = isLong ? unlessOnPaper("max-height", "40em", "none") : "";
  return `<div${focus} style="overflow:auto;contain:inline-size${height}">\n${layTable(block, isLong)}\n</div>`;
}

/** A heading that stays in sight has the background of the page, where that is known, or blurs what is behind it. */
const STICKY =
  ";position:sticky;top:0;background:var(--jp-layout-color0,var(--vscode-editor-background,transparent));backdrop-filter:blur(12px)";

function layTable(block: TableBlock, isLong: boolean): string {
  const texts = block.rows.map((row) => row.map(cellText));
  const styles = block.columns.map((_, index) => layColumn(block, texts, index));
  const head = block.columns.map(
    (column, index) =>
      `<th scope="col"${titled(block.columnPaths?.[index])} style="${styles[index]?.head}${isLong ? STICKY : ""}">${escapeHtmlText(nameText(column))}</th>`,
  );
  const rows = block.rows.map((row, at) => {
    const cells = row.map((cell, index) => {
      const text = texts[at]?.[index] ?? "";
      const shown = linked(cell, text);
      const broken = cell.type === "structure" ? shown.replaceAll(",", ",<wbr>") : shown;
      return `<td${titled(fullText(cell))} style="${styles[index]?.cell(cell, text)}">${broken}</td>`;
    });
    return `<tr${titled(block.rowPaths?.[at])} ${ROW_STYLE}>${cells.join("")}</tr>`;
  });
  return `${TABLE}\n<thead><tr ${ROW_STYLE}>${head.join("")}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`;
}

/** A style that differs on paper. Without `if()`, as in Firefox, it is the same there. */
function unlessOnPaper(property: string, value: string, onPaper: string): string {
  return `;${property}:${value};${property}:if(media(overflow-block:paged):${onPaper};else:${value})`;
}

interface ColumnStyle {
  readonly head: string;
  readonly cell: (cell: Cell, text: string) => string;
}

/**
 * The styles of a column: each plain value is one line, and prose wraps. Nested values wrap at their commas where a
 * page has room for all columns but for them; on a narrow page the table scrolls anyway, and nothing wraps.
 */
function layColumn(
  { rows }: TableBlock,
  texts: readonly (readonly string[])[],
  index: number,
): ColumnStyle {
  const isNumeric = rows.some((row) => row[index]?.type === "number");
  const isNested = (at: number): boolean => rows[at]?.[index]?.type === "structure";
  const nested = texts.map((row, at) => (isNested(at) ? textWidth(row[index] ?? "") : 0));
  const widest = Math.max(0, ...nested);
  const hasProse = texts.some((row) => isProse(row[index] ?? ""));
  const width = hasProse ? PROSE_WIDTH : `clamp(9ch,100ch - 100cqw,${widest}ch)`;
  const wraps = hasProse || widest > 0 ? PROSE + unlessOnPaper("min-width", width, "0") : PLAIN;
  return {
    head: (isNumeric ? RIGHT : LEFT) + wraps,
    cell: ({ type }, text) => {
      const wrap = type === "structure" || isProse(text) ? PROSE : PLAIN;
      return (type === "number" ? RIGHT : LEFT) + COLORS[type] + wrap;
    },
  };
}

function isProse(text: string): boolean {
  return text.includes(" ") && textWidth(text) > LONGEST_LINE;
}

/** Writes keys and values. */
export function fieldsToHtml(block: FieldsBlock): string {
  return `<div style="overflow-x:auto;contain:inline-size">\n${layFields(block)}\n</div>`;
}

function layFields(block: FieldsBlock): string {
  const rows = block.fields.map(({ key, value, path, nested }) => {
    const content = nested === undefined ? linked(value, cellText(value)) : nest(nested, value);
    const color = nested === undefined ? COLORS[value.type] : "";
    return `${FIELD_ROW}${keyCell(nameText(key), path)}<td${titled(fullText(value))} style="${LEFT}${color}">${content}</td></tr>`;
  });
  // A table scrolls within the room that is left beside its key.
  const width = hasTable(block) ? ";width:100%;table-layout:auto" : "";
  return `${FIELDS}${width}">\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>${below(fieldsRemark(block))}`;
}

/** Nothing but whole addresses of http are links, and their text is the address. */
const ADDRESS = /^https?:\/\/\w[\w!#$%&()*+,./:;=?@[\]~-]*$/;

/** The text of a cell; an address is a link, which opens a page without a reference to this one. */
function linked({ type, full }: Cell, text: string): string {
  const shown = escapeHtmlText(text);
  const isText = type === "string" || type === "text";
  if (!isText || full !== undefined || !ADDRESS.test(text)) return shown;
  return `<a href="${escapeHtml(text)}" rel="noopener noreferrer" target="_blank" style="color:inherit;text-decoration:underline">${shown}</a>`;
}

function keyCell(key: string, path?: string): string {
  const wrap = textWidth(key) <= LONGEST_KEY ? ";white-space:nowrap" : "";
  return `<th scope="row"${titled(path)} style="${LEFT};vertical-align:top;width:1%${wrap}">${escapeHtmlText(key)}</th>`;
}

function hasTable({ fields }: FieldsBlock): boolean {
  return fields.some(
    ({ nested }) => nested !== undefined && (nested.kind === "table" || hasTable(nested)),
  );
}

function below(remark: string | undefined): string {
  return remark === undefined ? "" : `\n${small(remark)}`;
}

function nest(block: FieldsBlock | TableBlock, count: Cell): string {
  const content =
    block.kind === "table" ? scrolled(block) + below(nestedTableRemark(block)) : layFields(block);
  return `<details open>${SUMMARY}${escapeHtmlText(cellText(count))}</summary>\n${content}\n</details>`;
}

/** Writes headers without their title. */
export function headersToHtml(headers: HeadersBlock["headers"]): string {
  const rows = headers.map(
    ([name, value]) =>
      `${FIELD_ROW}${keyCell(toVisibleLine(name))}<td style="${LEFT}">${escapeHtmlText(toVisibleLine(value))}</td></tr>`,
  );
  return `${FIELDS}">\n${rows.join("\n")}\n</table>`;
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
