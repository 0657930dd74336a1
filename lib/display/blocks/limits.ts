/** How much of a value is shown. Nothing that is cut goes unsaid. */
export interface Limits {
  /** Rows of a table, and items of a list. */
  readonly rows: number;
  /** Columns of a table. */
  readonly columns: number;
  /** Characters of a cell, of a key and of a header value. */
  readonly cell: number;
  /** Characters of all cells of one table together: a wide table shows fewer rows. */
  readonly table: number;
  /** Keys of an object, nested ones included, and headers of a list. */
  readonly fields: number;
  /** How many levels of nested objects are folded out before they become one compact cell. */
  readonly depth: number;
  /** Characters of preformatted text. */
  readonly text: number;
  /** Characters of a URL, and of a message, a note or a status text. */
  readonly line: number;
  /** Bytes that are shown in hexadecimal of a body that is neither text nor an image. */
  readonly hex: number;
  /** Bytes of an image or a sound, and of a document that can be saved; a larger one is described. */
  readonly image: number;
  /** Characters of `application/json`; a longer body has none. */
  readonly json: number;
  /** Redirect hops, warnings, and faults of an error. */
  readonly notes: number;
  /** Bytes of the whole bundle in a notebook; where it is longer, the body is shortened until it fits. */
  readonly bundle: number;
}

/**
 * What is shown unless told otherwise: what fits a screen or two, and less than 256 KB in all forms
 * together.
 */
export const DEFAULT_LIMITS: Limits = {
  rows: 50,
  columns: 30,
  cell: 80,
  table: 30_000,
  fields: 200,
  depth: 4,
  text: 20_000,
  line: 2_000,
  hex: 256,
  image: 120_000,
  json: 40_000,
  notes: 20,
  bundle: 220_000,
};

/** What bounds the body: request line, status, warnings and headers are not shortened for its sake. */
const OF_THE_BODY: readonly (keyof Limits)[] = [
  "rows",
  "columns",
  "table",
  "text",
  "hex",
  "image",
  "json",
];
const LEAST = 8;

/** The way down to a bundle that fits: first the body is shortened, and all else where it is not enough. */
export function shorten(limits: Limits): Limits {
  const isBodyShort = OF_THE_BODY.every((name) => limits[name] <= LEAST);
  const half = Object.entries(limits).map(([name, value]) => {
    const isHalved = isBodyShort || OF_THE_BODY.includes(name as keyof Limits);
    return [name, isHalved ? Math.max(1, value >> 1) : value];
  });
  return { ...Object.fromEntries(half), bundle: limits.bundle };
}
