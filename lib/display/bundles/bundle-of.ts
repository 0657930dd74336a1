import { type Block, type Hidden, REVEALED_NOTE, type ViewContext } from "../blocks/mod.ts";
import { toHtml, toMarkdown, toText } from "../formats/mod.ts";
import type { MimeBundle } from "./bundle.ts";
import { maskBlocks } from "./mask-blocks.ts";
import { withoutTimes } from "./without-times.ts";

/** What a bundle contains besides its blocks. */
interface BundleParts {
  /** The plain text, already masked, if it is not that of the blocks. */
  readonly plain?: string;
  /** The width of the plain text in columns. */
  readonly width?: number;
  /** The data of `application/json`, already masked. */
  readonly json?: unknown;
  /** Whether the HTML, and tables, have no times and dates either. */
  readonly stable?: boolean | undefined;
}

/**
 * Renders blocks in all formats, with secrets masked unless they are revealed. Only the HTML contains times and
 * dates: see {@link withoutTimes}.
 */
export function bundleOf(
  blocks: readonly Block[],
  context: ViewContext,
  { plain, width, json, stable = false }: BundleParts = {},
): MimeBundle {
  const shown = maskBlocks(withNote(blocks, context), context.masking);
  const lasting = withoutTimes(shown, stable);
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
  const [image, ...more] = blocks.filter((block) => block.kind === "image");
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
