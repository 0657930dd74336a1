import {
  type FieldsBlock,
  formatCount,
  groupDigits,
  type HeadersBlock,
  type StatusBlock,
  type TableBlock,
} from "../blocks/mod.ts";

/** The remark on a URL that was written differently. */
export function writtenRemark(url: string): string {
  return `Written as ${url}`;
}

/** The remark below a table: the number of rows, if they are counted, and what is not shown. */
export function tableRemark(block: TableBlock): string | undefined {
  return block.isUncounted === true ? nestedTableRemark(block) : countRemark(block);
}

function countRemark(block: TableBlock): string {
  const columns = block.totalColumns - block.columns.length;
  const rows = partly(block.rows.length, block.total, "row");
  return rows + hidden(columns, "column") + furtherColumns(block.further);
}

/** The remark below a table whose title has the count; `undefined` if everything is shown. */
export function nestedTableRemark(block: TableBlock): string | undefined {
  const isAll = block.rows.length === block.total && block.further === undefined;
  const whole = isAll && block.columns.length === block.totalColumns;
  return whole ? undefined : countRemark(block);
}

/** The remark below keys and values; `undefined` if everything is shown. */
export function fieldsRemark(block: FieldsBlock): string | undefined {
  const { length } = block.fields;
  if (length === block.total) return undefined;
  return partly(length, block.total, block.of === "list" ? "item" : "key");
}

/** The title of headers, with their number. */
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

/** The time and the other facts of a status line. */
export function factsOfStatus({ time, facts }: StatusBlock): readonly string[] {
  return time === undefined ? facts : [time, ...facts];
}
