import type { DisplayData, Exchange, jupyterDisplay } from "./exchange.ts";

/** A part of an exchange that can be displayed. */
export type ExchangePart =
  | "request"
  | "headers"
  | "body"
  | "json"
  | "text"
  | "table"
  | "hex"
  | "html-preview";

/** Options of `client.show`. */
export interface ShowOptions {
  /** Whether to display its secrets as the result of a cell, whose output says so. */
  readonly reveal?: boolean;
}

/**
 * Which rows of a table are displayed: a function of the row; a text that one of its cells contains,
 * ignoring case; or for each column a value, a list of values, a pattern for its text, or a function.
 */
export type TableFilter =
  | string
  | ((row: Readonly<Record<string, unknown>>, index: number) => boolean)
  | { readonly [column: string]: unknown };

/** The shape of a table. A column is a key of the rows, or a path such as `address.city`. */
export interface TableShape {
  /** The columns, in order; all by default. */
  readonly columns?: readonly string[];
  /** The maximum number of rows, 50 by default. */
  readonly rows?: number;
  /**
   * The columns to sort by, in order of precedence; a minus sign sorts in descending order. Numbers come
   * before dates before texts, and rows without a value last.
   */
  readonly sort?: string | readonly string[];
  /** Reverses the order of all columns. */
  readonly descending?: boolean;
  /** Which rows are displayed. */
  readonly filter?: TableFilter;
}

/** A view of a value, which is displayed as the last value of a cell. */
export interface ShownView {
  /** The view as plain text. */
  toString(): string;
  /** The view, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** The members of a client that display values. */
export interface Views {
  /**
   * Displays one part of an exchange: the `request` (line, headers, body), the `headers` of both, the
   * `body` of the response (JSON indented), or the body as `json` (JupyterLab shows its tree), as
   * `text`, as a `table`, as `hex`, or as an `html-preview` in a frame without scripts and network.
   *
   * @throws {TypeError} There is no such part.
   */
  show(exchange: Exchange, part: ExchangePart, options?: ShowOptions): ShownView;
  /**
   * Displays a value as a table: an array of objects, of arrays or of scalars, a Map, an object of
   * objects, or the body of an exchange.
   *
   * @param value The value.
   * @param shape The rows and columns, and their order.
   * @throws {TypeError} An option is invalid.
   * @example
   * ```ts
   * const users = [{ id: 2, name: "Grace" }, { id: 1, name: "Ada" }];
   * String(client.table(users, { sort: "id", columns: ["name"] })); // "name\n─────\nAda\nGrace\n2 rows"
   * ```
   */
  table(value: unknown, shape?: TableShape): ShownView;
}
