import type {
  Block,
  Cell,
  CellType,
  FieldsBlock,
  HeadersBlock,
  NoteBlock,
  StatusBlock,
  TableBlock,
} from "./block.ts";
import { formatCount, groupDigits } from "./units.ts";

/**
 * A format of blocks, such as HTML: one function for each kind of block, so that the compiler finds formats
 * that lack a new kind.
 */
export type Form<Shown, Context extends readonly unknown[] = []> = {
  readonly [Kind in Block["kind"]]: (
    block: Extract<Block, { kind: Kind }>,
    ...context: Context
  ) => Shown;
};

/** Renders a block in a format. */
export function showBlock<Shown, Context extends readonly unknown[]>(
  form: Form<Shown, Context>,
  block: Block,
  ...context: Context
): Shown {
  // The compiler does not know that the function found by the kind of a block accepts that block.
  const view = form[block.kind] as (block: Block, ...context: Context) => Shown;
  return view(block, ...context);
}

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
  const more = block.more === undefined ? "" : `; ${block.more} shows more`;
  return rows + hidden(columns, "column") + furtherColumns(block.further) + more;
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

/** The colours of plain text, by role; a terminal adds its escape sequences. */
export interface Paint {
  method(text: string): string;
  url(text: string): string;
  status(text: string, statusClass: StatusBlock["statusClass"]): string;
  /** Times, sizes, counts, rules of tables, titles. */
  fact(text: string): string;
  /** Column names and keys. */
  key(text: string): string;
  number(text: string): string;
  string(text: string): string;
  /** The words `true`, `false` and `null` of JSON. */
  literal(text: string): string;
  note(text: string, level: NoteBlock["level"]): string;
}

const TYPES: { readonly [Type in CellType]?: "string" | "number" | "literal" } = {
  string: "string",
  number: "number",
  boolean: "literal",
  null: "literal",
};

/** Colours the laid out text of a cell by its type. */
export function paintCell(paint: Paint, { type }: Cell, text: string): string {
  const role = TYPES[type];
  return role === undefined ? text : paint[role](text);
}

/** No colours. */
export const PLAIN_PAINT: Paint = {
  method: same,
  url: same,
  status: same,
  fact: same,
  key: same,
  number: same,
  string: same,
  literal: same,
  note: same,
};

function same(text: string): string {
  return text;
}
