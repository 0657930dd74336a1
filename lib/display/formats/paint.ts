import type { NoteBlock, StatusBlock } from "../blocks/mod.ts";

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
  /** Strings in source text. */
  string(text: string): string;
  note(text: string, level: NoteBlock["level"]): string;
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
  note: same,
};

function same(text: string): string {
  return text;
}
