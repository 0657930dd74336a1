/** How much of a value is shown. A note says what is cut. */
export interface Limits {
  /** Rows of a table, and items of a list. */
  readonly rows: number;
  /** Columns of a table. */
  readonly columns: number;
  /** Characters of a cell, of a key and of a header value. */
  readonly cell: number;
  /** Characters of all cells of a table: a wide table shows fewer rows. */
  readonly table: number;
  /** Keys of an object, including nested ones, and headers. */
  readonly fields: number;
  /** Levels of nested objects; deeper ones become one compact cell. */
  readonly depth: number;
  /** Characters of preformatted text. */
  readonly text: number;
  /** Characters of the source of a body that is folded below its view. */
  readonly source: number;
  /** Characters of a URL, and of a message, a note or a status text. */
  readonly line: number;
  /** Bytes of a hex dump. */
  readonly hex: number;
  /** Bytes of an image; a larger one is only described. */
  readonly image: number;
  /** Bytes of an audio file, a video or a document; a larger one is only described. */
  readonly media: number;
  /** Characters of `application/json`; longer data is left out. */
  readonly json: number;
  /** Redirects, warnings, and faults of an error. */
  readonly notes: number;
  /** Bytes of the whole bundle in a notebook without images; the body is shortened until it fits. */
  readonly bundle: number;
}

/**
 * The default limits: a screen or two, and less than 256 KB in all formats together, without images.
 */
export const DEFAULT_LIMITS: Limits = {
  rows: 50,
  columns: 30,
  cell: 80,
  table: 30_000,
  fields: 200,
  depth: 4,
  text: 20_000,
  source: 10_000,
  line: 2_000,
  hex: 256,
  image: 2_000_000,
  media: 120_000,
  json: 40_000,
  notes: 20,
  bundle: 220_000,
};

/** The limits of the body, which is shortened before request line, status, warnings and headers. */
const BODY_LIMITS: readonly (keyof Limits)[] = [
  "rows",
  "columns",
  "table",
  "text",
  "source",
  "hex",
  "media",
  "json",
];
const LEAST = 8;

/** Halves the limits of the body, or all limits when those of the body are small already. */
export function shorten(limits: Limits): Limits {
  const isBodyShort = BODY_LIMITS.every((name) => limits[name] <= LEAST);
  const half = Object.entries(limits).map(([name, value]) => {
    const isHalved =
      (isBodyShort && name !== "image") || BODY_LIMITS.includes(name as keyof Limits);
    return [name, isHalved ? Math.max(1, value >> 1) : value];
  });
  return { ...Object.fromEntries(half), bundle: limits.bundle };
}
