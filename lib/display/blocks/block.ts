import type { StatusClass } from "../../exchange/mod.ts";

/**
 * What is to be seen, before any form is chosen: values become blocks, and blocks become HTML,
 * Markdown, plain text or coloured terminal text. Every string in a block is raw; each form escapes.
 */
export type Block =
  | RequestBlock
  | RedirectBlock
  | StatusBlock
  | HeadersBlock
  | TableBlock
  | FieldsBlock
  | TextBlock
  | ImageBlock
  | MediaBlock
  | FrameBlock
  | FoldBlock
  | ErrorBlock
  | NoteBlock;

/** The request line as it was sent. */
export interface RequestBlock {
  readonly kind: "request";
  readonly method: string;
  readonly url: string;
  /** The URL as it was written, where that is another text. */
  readonly written?: string;
}

/** One hop on the way to the final answer. */
export interface RedirectBlock {
  readonly kind: "redirect";
  readonly status: number;
  readonly statusText: string;
  readonly statusClass: StatusClass;
  readonly method: string;
  readonly url: string;
  readonly location: string;
}

/** The status line: code, words, class, time and size. */
export interface StatusBlock {
  readonly kind: "status";
  readonly status: number;
  readonly statusText: string;
  readonly statusClass: StatusClass;
  /** Further facts in words, for example `12 ms` and `1.2 kB`. */
  readonly facts: readonly string[];
}

/** A header list with a heading. */
export interface HeadersBlock {
  readonly kind: "headers";
  readonly title: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** How many headers there are in all, the shown ones included. */
  readonly total: number;
  /** Whether they are listed where a form could fold them. */
  readonly open?: boolean;
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
  /** How many columns the shown rows have in all, the shown ones included. */
  readonly totalColumns: number;
  /** Names of columns that only rows further down have: the first of them, and how many there are. */
  readonly further?: { readonly columns: readonly string[]; readonly total: number };
  /** How the whole is written in a request or a program, for example `{{login.response.body}}`. */
  readonly path?: string;
  /** The same of each row. */
  readonly rowPaths?: readonly (string | undefined)[];
  /** The same of each column's value in the first row. */
  readonly columnPaths?: readonly (string | undefined)[];
}

/** An object or a list as keys and values; a value may hold fields or a table again. */
export interface FieldsBlock {
  readonly kind: "fields";
  readonly of: "object" | "list";
  readonly fields: readonly Field[];
  /** How many fields there are in all, the shown ones included. */
  readonly total: number;
  /** How the whole is written in a request or a program. */
  readonly path?: string;
}

/** One key with its value, or with what lies in the value where it is folded out. */
export interface Field {
  readonly key: string;
  readonly value: Cell;
  /** How the value is written in a request or a program. */
  readonly path?: string;
  readonly nested?: FieldsBlock | TableBlock;
}

/** Preformatted text. */
export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
  /** A name that text is highlighted by, for example `json`. */
  readonly language?: string;
  /** Whether its columns mean something, so that no line may be broken: carets below a fault, hex digits. */
  readonly isDrawing?: boolean;
}

/** A raster image, or an SVG shown as an image only. */
export interface ImageBlock {
  readonly kind: "image";
  readonly mediaType: string;
  readonly base64: string;
  readonly description: string;
}

/** What is played or downloaded, and never opened by itself. */
export interface MediaBlock {
  readonly kind: "media";
  readonly as: "audio" | "video" | "download";
  readonly mediaType: string;
  readonly base64: string;
  readonly description: string;
  /** The name of the file that a download becomes. */
  readonly fileName: string;
}

/** An HTML document in a frame without scripts and without a network. */
export interface FrameBlock {
  readonly kind: "frame";
  readonly html: string;
  readonly description: string;
}

/** Blocks below a heading, folded where a form can fold. */
export interface FoldBlock {
  readonly kind: "fold";
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** The first line of an error. What belongs to it follows as text and notes. */
export interface ErrorBlock {
  readonly kind: "error";
  readonly name: string;
  readonly message: string;
}

/** A remark: what was cut, what was empty, what looks wrong. */
export interface NoteBlock {
  readonly kind: "note";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}
