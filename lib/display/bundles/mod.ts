/**
 * A value in every form that fits it, as one bundle by media type that stays below a limit in bytes; bundles
 * that a value makes of itself, masked by what is in them.
 */

export { DISPLAY, type MimeBundle } from "./bundle.ts";
export { bundleOf, hides, noteHidden, withNote } from "./bundle-of.ts";
export { fitBundle, savedSize } from "./fit.ts";
export { maskBlocks } from "./mask-blocks.ts";
export { maskOwnBundle, needsParser } from "./own-bundle.ts";
export type { MarkupNode, MarkupParser, MarkupStretch } from "./own-markup.ts";
