import type { StatusClass } from "../client/mod.ts";

/**
 * What is to be seen, before any form is chosen: values become blocks, and blocks become HTML,
 * Markdown, plain text or coloured terminal text. Every string in a block is raw; each form escapes.
 */
export type Block =
  | RequestBlock
  | StatusBlock
  | HeadersBlock
  | TableBlock
  | FieldsBlock
  | TextBlock
  | ImageBlock
  | NoteBlock;

/** The request line. */
export interface RequestBlock {
  readonly kind: "request";
  readonly method: string;
  readonly url: string;
}

/** The status line: code, words, class, time and size. */
export interface StatusBlock {
  readonly kind: "status";
  readonly status: number;
  readonly statusText: string;
  readonly statusClass: StatusClass;
  /** Further facts in words, for example `12 ms` and `3 headers`. */
  readonly facts: readonly string[];
}

/** A header list with a heading. */
export interface HeadersBlock {
  readonly kind: "headers";
  readonly title: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** One cell of a table: its text and whether it is a number, which is aligned to the right. */
export interface Cell {
  readonly text: string;
  readonly numeric: boolean;
}

/** An array of objects. */
export interface TableBlock {
  readonly kind: "table";
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** How many rows there are in all, the shown ones included. */
  readonly total: number;
}

/** An object as keys and values; a value may be an object again. */
export interface FieldsBlock {
  readonly kind: "fields";
  readonly fields: readonly Field[];
  /** How many fields there are in all, the shown ones included. */
  readonly total: number;
}

/** One key with its value, and what lies in the value where it is folded out. */
export interface Field {
  readonly key: string;
  readonly value: Cell;
  readonly fields?: readonly Field[];
}

/** Preformatted text. */
export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
  /** A name that Markdown viewers highlight by, for example `json`. */
  readonly language?: string;
}

/** A raster image, or an SVG shown as an image only. */
export interface ImageBlock {
  readonly kind: "image";
  readonly mediaType: string;
  readonly base64: string;
  readonly description: string;
}

/** A remark: what was cut, what was empty, what looks wrong. */
export interface NoteBlock {
  readonly kind: "note";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}
