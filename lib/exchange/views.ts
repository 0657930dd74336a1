import type { DisplayData, Exchange, jupyterDisplay } from "./exchange.ts";

/** A part of an exchange that can be shown by itself. */
export type ExchangePart =
  | "request"
  | "headers"
  | "body"
  | "json"
  | "text"
  | "table"
  | "hex"
  | "html-preview";

/** How a part is shown. */
export interface ShowOptions {
  /** Shows the secrets in it, and says so, where it is the result of a cell. */
  readonly reveal?: boolean;
}

/**
 * Which rows of a table are shown: a function of the row; a text that one of its cells holds, in
 * whatever case; or for each column a value, a list of values, a pattern of its text, or a function.
 */
export type TableFilter =
  | string
  | ((row: Readonly<Record<string, unknown>>, index: number) => boolean)
  | { readonly [column: string]: unknown };

/** How a table is made of a value. A column is a key of the rows, or a path such as `address.city`. */
export interface TableShape {
  /** Which columns, in which order; all of them unless told. */
  readonly columns?: readonly string[];
  /** How many rows are shown, 50 unless told. */
  readonly rows?: number;
  /**
   * The columns to sort by, the first one first; one after a minus sign from the greatest to the
   * least. Numbers come before dates before texts, and rows without a value last.
   */
  readonly sort?: string | readonly string[];
  /** Turns the direction of all columns around. */
  readonly descending?: boolean;
  /** Which rows are shown. */
  readonly filter?: TableFilter;
}

/** A look at a value; as the last value of a cell it shows itself. */
export interface ShownView {
  /** What is to be seen, as plain text. */
  toString(): string;
  /** How it looks, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** Looks at values; how they are made is handed in. */
export interface Views {
  /**
   * Shows one part of an exchange: the `request` (line, headers, body), the `headers` of both, the
   * `body` of the answer by its media type, or the body as `json` (JupyterLab opens its tree), as
   * `text`, as a `table`, as `hex`, or as an `html-preview` in a frame without scripts and network.
   *
   * @throws {TypeError} There is no such part.
   */
  show(exchange: Exchange, part: ExchangePart, options?: ShowOptions): ShownView;
  /**
   * Shows any value as a table: an array of objects, of arrays or of scalars, a Map, an object of
   * objects, or the body of an exchange.
   *
   * @param value What is to be shown.
   * @param shape Which rows and columns, and their order.
   * @throws {TypeError} An option is not what it should be.
   * @example
   * ```ts
   * const users = [{ id: 2, name: "Grace" }, { id: 1, name: "Ada" }];
   * String(client.table(users, { sort: "id", columns: ["name"] })); // "name\n─────\nAda\nGrace\n2 rows"
   * ```
   */
  table(value: unknown, shape?: TableShape): ShownView;
}
