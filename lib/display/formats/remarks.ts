import type { FieldsBlock, HeadersBlock, TableBlock } from "../blocks/mod.ts";
import { formatCount, groupDigits } from "../blocks/mod.ts";

/** What is said of a URL that was written in another way than it was sent. */
export function writtenRemark(url: string): string {
  return `Written as ${url}`;
}

/** What stands below a table in words: how many rows, and how much of it is not shown. */
export function tableRemark(block: TableBlock): string {
  const columns = block.totalColumns - block.columns.length;
  const rows = partly(block.rows.length, block.total, "row");
  return rows + hidden(columns, "column") + furtherColumns(block.further);
}

/** The same below a table whose heading has the count already: nothing where all of it is shown. */
export function nestedTableRemark(block: TableBlock): string | undefined {
  const isAll = block.rows.length === block.total && block.further === undefined;
  const whole = isAll && block.columns.length === block.totalColumns;
  return whole ? undefined : tableRemark(block);
}

/** What stands below keys and values where some are not shown, or nothing. */
export function fieldsRemark(block: FieldsBlock): string | undefined {
  const { length } = block.fields;
  if (length === block.total) return undefined;
  return partly(length, block.total, block.of === "list" ? "item" : "key");
}

/** The heading of a header list with its count. */
export function headersTitle(block: HeadersBlock): string {
  const { length } = block.headers;
  const count = length === block.total ? String(length) : `${length} of ${block.total}`;
  return `${block.title} (${count})`;
}

function partly(shown: number, total: number, noun: string): string {
  if (shown === total) return formatCount(total, noun);
  return `${groupDigits(shown)} of ${formatCount(total, noun)} shown`;
}

function hidden(count: number, noun: string): string {
  return count > 0 ? `, ${formatCount(count, `more ${noun}`)} not shown` : "";
}

function furtherColumns(further: TableBlock["further"]): string {
  if (further === undefined) return "";
  const { columns, total } = further;
  const names = columns.join(", ") + (columns.length < total ? ", …" : "");
  return `, ${formatCount(total, "more column")} in rows further down: ${names}`;
}
