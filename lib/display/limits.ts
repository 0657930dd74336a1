/** How much of a value is shown. A note says what is cut. */
export interface Limits {
  /** Rows of a table, and items of a list. */
  readonly rows: number;
  /** Columns of a table; with none, objects in a list are keys and values as well. */
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
  table: 60_000,
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

const LEAST = 8;

/**
 * What is shortened first, and how far: the folded source, then the end of the body, then its columns too, and at
 * last everything else, such as headers and warnings.
 */
const STAGES: readonly Partial<Limits>[] = [
  { source: 2_000 },
  { rows: 20, fields: 50, table: 12_000, text: 8_000, media: LEAST },
  {
    rows: LEAST,
    fields: LEAST,
    columns: LEAST,
    table: LEAST,
    text: LEAST,
    source: LEAST,
    hex: LEAST,
  },
];

/**
 * Shortens limits by one step.
 *
 * @param share How much of what was shown there is room for, from 0 to 1.
 */
export function shorten(limits: Limits, share: number): Limits {
  const names = Object.keys(limits) as (keyof Limits)[];
  const isOver = (stage: Partial<Limits>): boolean =>
    names.some((name) => limits[name] > (stage[name] ?? Number.POSITIVE_INFINITY));
  const stage = STAGES.find(isOver);
  const factor = Math.min(0.8, Math.max(0.25, share));
  const least = (name: keyof Limits): number | undefined => {
    if (stage !== undefined) return stage[name];
    return name === "bundle" || name === "image" ? undefined : 1;
  };
  const shorter = names.map((name) => {
    const [limit, end] = [limits[name], least(name)];
    return [
      name,
      end === undefined ? limit : Math.max(Math.min(limit, end), Math.floor(limit * factor)),
    ];
  });
  return Object.fromEntries(shorter) as unknown as Limits;
}
