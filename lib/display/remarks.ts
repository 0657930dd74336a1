import type { FieldsBlock, HeadersBlock, TableBlock } from "./block.ts";
import { formatCount, groupDigits } from "./units.ts";

/** What stands below a table in words: how many rows, and how much of it is not shown. */
export function tableRemark(block: TableBlock): string {
  const columns = block.totalColumns - block.columns.length;
  return partly(block.rows.length, block.total, "row") + hidden(columns, "column");
}

/** The same below a table whose heading has the count already: nothing where all of it is shown. */
export function nestedTableRemark(block: TableBlock): string | undefined {
  const whole = block.rows.length === block.total && block.columns.length === block.totalColumns;
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
