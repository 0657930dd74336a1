import type { StatusClass } from "../exchange/mod.ts";
import { isNumberText as isKeptNumber, isRecord, type NumberText } from "../interpolation/mod.ts";

/**
 * A display as data, independent of its format: values become blocks, and blocks become HTML, Markdown,
 * plain text or coloured terminal text. Strings in blocks are raw; every format escapes them.
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

/** The request line. */
export interface RequestBlock {
  readonly kind: "request";
  readonly method: string;
  readonly url: string;
  /** The URL as written, if it differs. */
  readonly written?: string;
}

/** A redirect that was followed. */
export interface RedirectBlock {
  readonly kind: "redirect";
  readonly status: number;
  readonly statusText: string;
  readonly statusClass: StatusClass;
  readonly method: string;
  readonly url: string;
  readonly location: string;
}

/** The status line: code, reason phrase, class, the request, time and size. */
export interface StatusBlock {
  readonly kind: "status";
  readonly status: number;
  readonly statusText: string;
  readonly statusClass: StatusClass;
  readonly request: Omit<RequestBlock, "kind">;
  /** How long it took, for example `12 ms`. */
  readonly time?: string;
  /** Further facts, for example `1.2 kB`. */
  readonly facts: readonly string[];
}

/** Headers with a title. */
export interface HeadersBlock {
  readonly kind: "headers";
  readonly title: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The number of all headers, including those not shown. */
  readonly total: number;
  /** Whether they are unfolded in formats that can fold. */
  readonly open?: boolean;
}

/**
 * What a cell contains. A `structure` is compact JSON; a `text` has no type, such as a cell of CSV, a date or
 * a count.
 */
export type CellType = "string" | "number" | "boolean" | "null" | "structure" | "text";

/** A cell of a table. Formats align, quote and colour it by its type. */
export interface Cell {
  readonly text: string;
  readonly type: CellType;
  /** More of a text that is shortened, for formats that can show it on request. */
  readonly full?: string;
}

/** An array of objects. */
export interface TableBlock {
  readonly kind: "table";
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The number of all rows, including those not shown. */
  readonly total: number;
  /** The number of all columns of the rows shown, including columns not shown. */
  readonly totalColumns: number;
  /** Whether the remark below it leaves out the number of rows, which counts nothing for a reader. */
  readonly isUncounted?: boolean;
  /** The indexes of columns that contain times or durations. */
  readonly times?: readonly number[];
  /** Columns that only rows not shown have: the names of some, and their number. */
  readonly further?: { readonly columns: readonly string[]; readonly total: number };
  /** How to write the whole in a request or a program, for example `{{login.response.body}}`. */
  readonly path?: string;
  /** A call that shows more rows, if there are any. */
  readonly more?: string;
  /** How to write each row. */
  readonly rowPaths?: readonly (string | undefined)[];
  /** How to write the value of each column in the first row that has one. */
  readonly columnPaths?: readonly (string | undefined)[];
}

/** An object or a list as keys and values; a value may be nested fields or a table. */
export interface FieldsBlock {
  readonly kind: "fields";
  readonly of: "object" | "list";
  readonly fields: readonly Field[];
  /** The number of all fields, including those not shown. */
  readonly total: number;
  /** How to write the whole in a request or a program. */
  readonly path?: string;
}

/** A key with its value, or with the nested fields of the value. */
export interface Field {
  readonly key: string;
  readonly value: Cell;
  /** How to write the value in a request or a program. */
  readonly path?: string;
  readonly nested?: FieldsBlock | TableBlock;
}

/** Preformatted text. */
export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
  /** The language for highlighting, for example `json`. */
  readonly language?: string;
  /** Whether columns matter, so that lines must not wrap: carets under a fault, hex dumps. */
  readonly isDrawing?: boolean;
}

/** A raster image, or an SVG shown as an image only. */
export interface ImageBlock {
  readonly kind: "image";
  readonly mediaType: string;
  readonly base64: string;
  readonly description: string;
}

/** Media to play or download, which are never opened automatically. */
export interface MediaBlock {
  readonly kind: "media";
  readonly as: "audio" | "video" | "download";
  readonly mediaType: string;
  readonly base64: string;
  readonly description: string;
  /** The name of the downloaded file. */
  readonly fileName: string;
}

/** An HTML document in a frame without scripts and without a network. */
export interface FrameBlock {
  readonly kind: "frame";
  readonly html: string;
  readonly description: string;
}

/** Blocks with a title, folded in formats that can fold. */
export interface FoldBlock {
  readonly kind: "fold";
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Whether it is unfolded at first. Formats that cannot fold show its blocks without the title. */
  readonly isOpen?: boolean;
  /** Whether it shows when something happened and how long it took. */
  readonly isTiming?: boolean;
  /** Whether it only repeats or details what other blocks show, so that formats that cannot fold omit it. */
  readonly isExtra?: boolean;
}

/** The first line of an error. Its details follow as text and notes. */
export interface ErrorBlock {
  readonly kind: "error";
  readonly name: string;
  readonly message: string;
}

/** A remark: what was cut, is empty or looks wrong. */
export interface NoteBlock {
  readonly kind: "note";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

/** Whether a value is an object literal or parsed from JSON, also of another realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value) || isKeptNumber(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is a {@link NumberText}. */
export function isNumberText(value: unknown): value is NumberText {
  return isRecord(value) && isKeptNumber(value);
}

/** Blocks for a format that cannot fold: what is unfolded at first stands without its title, and extras are left out. */
export function withoutFolds(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block): readonly Block[] => {
    if (block.kind !== "fold") return [block];
    if (block.isOpen === true) return withoutFolds(block.blocks);
    return block.isExtra === true ? [] : [block];
  });
}
