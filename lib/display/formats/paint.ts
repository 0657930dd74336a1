import type { Cell, CellType, NoteBlock, StatusBlock } from "../blocks/mod.ts";

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
