import type { NoteBlock, StatusBlock } from "../blocks/mod.ts";

/** How each role of a plain text is dressed: a terminal puts its colours here. */
export interface Paint {
  method(text: string): string;
  url(text: string): string;
  status(text: string, statusClass: StatusBlock["statusClass"]): string;
  /** Times, sizes, counts, rules of tables, headings of folded parts. */
  fact(text: string): string;
  /** Column names and keys. */
  key(text: string): string;
  number(text: string): string;
  /** Texts in quotes in source text. */
  string(text: string): string;
  note(text: string, level: NoteBlock["level"]): string;
}

/** No dress at all. */
export const PLAIN_PAINT: Paint = {
  method: same,
  url: same,
  status: same,
  fact: same,
  key: same,
  number: same,
  string: same,
  note: same,
};

function same(text: string): string {
  return text;
}
