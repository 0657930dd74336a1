import { CREATED_BOUNDARY } from "../request/mod.ts";
import { type Block, type TableBlock, withoutFolds } from "./block.ts";
import { toHtml } from "./html.ts";
import { type Limits, shorten } from "./limits.ts";
import { toMarkdown } from "./markdown.ts";
import { toText } from "./text.ts";
import { type Hidden, REVEALED_NOTE, type ViewContext } from "./view-context.ts";

/** What a bundle contains besides its blocks. */
interface BundleParts {
  /** The plain text, already masked, if it is not that of the blocks. */
  readonly plain?: string;
  /** The width of the plain text in columns. */
  readonly width?: number | undefined;
  /** The data of `application/json`, already masked. */
  readonly json?: unknown;
  /** Whether the HTML has no times and dates either. */
  readonly stable?: boolean | undefined;
}

/**
 * Renders blocks in all formats. Their texts are masked already, and each format escapes all of them, placeholders
 * included: since a server decides what is secret, masking finished markup would let it break tags apart. Only the
 * HTML contains times and dates: see {@link withoutTimes}.
 */
export function bundleOf(
  blocks: readonly Block[],
  context: ViewContext,
  { plain, width, json, stable = false }: BundleParts = {},
): MimeBundle {
  const shown = withNote(blocks, context);
  const lasting = withoutTimes(shown);
  const text = plain ?? toText(lasting, width === undefined ? {} : { width });
  if (shown.length === 0) return { "text/plain": text };
  // JSON has no place for the note that it contains secrets.
  const hasJson = json !== undefined && !context.showsSecrets;
  return {
    "text/plain": text,
    "text/html": toHtml(stable ? lasting : shown),
    "text/markdown": toMarkdown(lasting),
    ...imageOf(shown),
    ...(hasJson ? { "application/json": json } : {}),
  };
}

// Not SVG, which some viewers would insert into their page, with its scripts.
const RASTER = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/;

/** The image of an answer, for viewers and converters that take images by their media type. */
function imageOf(blocks: readonly Block[]): Readonly<Record<string, string>> {
  const [image, ...more] = withoutFolds(blocks).filter((block) => block.kind === "image");
  if (image === undefined || more.length > 0) return {};
  const mediaType = image.mediaType.replace(/^image\/jpg$/, "image/jpeg");
  return RASTER.test(mediaType) ? { [mediaType]: image.base64 } : {};
}

/** Adds a note to blocks if secrets are revealed. */
export function withNote(
  blocks: readonly Block[],
  { showsSecrets }: ViewContext,
): readonly Block[] {
  return showsSecrets ? [...blocks, REVEALED_NOTE] : blocks;
}

const hiddenIn = new WeakMap<object, ReadonlySet<Hidden>>();

/** Records what is masked in a bundle, in case the display method of a value returns it. */
export function noteHidden(bundle: MimeBundle, secrets: readonly Hidden[]): MimeBundle {
  hiddenIn.set(bundle, new Set(secrets));
  return bundle;
}

/** Whether a bundle was created here and has all of these secrets masked. */
export function hides(bundle: object, secrets: readonly Hidden[]): boolean {
  const hidden = hiddenIn.get(bundle);
  return hidden !== undefined && secrets.every((one) => hidden.has(one));
}

/** The display of a value, by media type, as in Jupyter's `display_data`. */
export interface MimeBundle {
  /** For consoles, and for viewers that support no other format. */
  readonly "text/plain": string;
  /** HTML without scripts, style sheets and external resources. */
  readonly "text/html"?: string | undefined;
  /** CommonMark with tables as in GitHub Flavored Markdown. */
  readonly "text/markdown"?: string | undefined;
  /** Data; numbers that a double cannot represent are strings. */
  readonly "application/json"?: unknown;
  /** Other formats that a value displays itself in. */
  readonly [mediaType: string]: unknown;
}

/**
 * Removes times and dates, and names of boundaries: what differs when the same request gets the same answer again. The forms of one bundle
 * are saved together, so only its HTML contains them, and a second run changes a notebook in one place.
 */
function withoutTimes(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block): readonly Block[] => {
    switch (block.kind) {
      case "status": {
        const { time: _, ...others } = block;
        return [others];
      }
      case "headers": {
        const headers = block.headers
          .filter(([name]) => !isTimeHeader(name))
          .map(([name, value]) => [name, value.replace(CREATED_BOUNDARY, "restlab-form")] as const);
        const total = block.total - (block.headers.length - headers.length);
        return total === 0 ? [] : [{ ...block, headers, total }];
      }
      case "table":
        return [withoutTimeColumns(block)];
      case "fold":
        if (block.isTiming === true) return [];
        return [{ ...block, blocks: withoutTimes(block.blocks) }];
      default:
        return [block];
    }
  });
}

/** Whether a header says when a response was sent. */
export function isTimeHeader(name: string): boolean {
  return name.toLowerCase() === "date";
}

function withoutTimeColumns({ times = [], ...block }: TableBlock): TableBlock {
  const keep = <T>(list: readonly T[]): readonly T[] =>
    list.filter((_, index) => !times.includes(index));
  const { columns, rows, columnPaths, totalColumns } = block;
  return {
    ...block,
    columns: keep(columns),
    rows: rows.map(keep),
    totalColumns: totalColumns - times.length,
    ...(columnPaths === undefined ? {} : { columnPaths: keep(columnPaths) }),
  };
}

const MAX_ROUNDS = 64;
/** The bytes that a notebook adds to each line of a text: indentation, quotes, a comma, a line feed. */
const PER_LINE = 12;

const IMAGE = /data:image\/[\w.+-]+;base64,[\w+/=]*/g;

/**
 * Creates a bundle, and shortens the body until the bundle fits the limit in bytes. Images have a separate
 * limit.
 */
export function fitBundle(limits: Limits, make: (limits: Limits) => MimeBundle): MimeBundle {
  let allowed = limits;
  let bundle = make(allowed);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const size = sizeOf(bundle);
    if (size <= limits.bundle) break;
    allowed = shorten(allowed, limits.bundle / size);
    bundle = make(allowed);
  }
  return bundle;
}

function sizeOf(bundle: MimeBundle): number {
  return Object.entries(bundle).reduce((size: number, [type, part]) => {
    if (/^image\/(?!svg)/.test(type)) return size;
    return size + savedSize(typeof part === "string" ? part.replace(IMAGE, "") : part);
  }, 0);
}

/**
 * The size of a text or of data in a saved notebook, which is indented JSON with texts as arrays of lines
 * (https://nbformat.readthedocs.io/en/latest/format_description.html).
 */
export function savedSize(part: unknown): number {
  const text = JSON.stringify(part, undefined, 1) ?? "";
  const lines = (typeof part === "string" ? part : text).split("\n").length;
  return new TextEncoder().encode(text).length + lines * PER_LINE;
}
