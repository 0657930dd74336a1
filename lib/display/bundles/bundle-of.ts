import type { Block, Hidden, ViewContext } from "../blocks/mod.ts";
import { REVEALED_NOTE } from "../blocks/mod.ts";
import { toHtml, toMarkdown, toText } from "../formats/mod.ts";
import type { MimeBundle } from "./bundle.ts";
import { maskBlocks } from "./mask-blocks.ts";

/** What there is beside the blocks. */
export interface BundleParts {
  /** The plain text, of masked data, where it is not that of the blocks. */
  readonly plain?: string;
  /** Columns of the plain text. */
  readonly width?: number;
  /** Data for `application/json`, masked when they were copied. */
  readonly json?: unknown;
}

/** Makes all forms of what is to be seen, without secrets unless they are to be shown. */
export function bundleOf(
  blocks: readonly Block[],
  context: ViewContext,
  { plain, width, json }: BundleParts = {},
): MimeBundle {
  const shown = maskBlocks(withNote(blocks, context), context.masking);
  const text = plain ?? toText(shown, width === undefined ? {} : { width });
  if (shown.length === 0) return { "text/plain": text };
  // Data have no place for the note that they hold secrets.
  const hasJson = json !== undefined && !context.showsSecrets;
  return {
    "text/plain": text,
    "text/html": toHtml(shown),
    "text/markdown": toMarkdown(shown),
    ...(hasJson ? { "application/json": json } : {}),
  };
}

/** Blocks with a note below them where secrets are shown. */
export function withNote(
  blocks: readonly Block[],
  { showsSecrets }: ViewContext,
): readonly Block[] {
  return showsSecrets ? [...blocks, REVEALED_NOTE] : blocks;
}

const hiddenIn = new WeakMap<object, ReadonlySet<Hidden>>();

/** Notes what is hidden in a bundle of ours: where a value hands it out, it is masked already. */
export function noteHidden(bundle: MimeBundle, secrets: readonly Hidden[]): MimeBundle {
  hiddenIn.set(bundle, new Set(secrets));
  return bundle;
}

/** Whether a bundle was made here, and all of this is hidden in it. */
export function hides(bundle: object, secrets: readonly Hidden[]): boolean {
  const hidden = hiddenIn.get(bundle);
  return hidden !== undefined && secrets.every((one) => hidden.has(one));
}
