/**
 * MIME bundles: blocks in every format, within a limit in bytes, and bundles that values create
 * themselves, masked by their content.
 */

export type { MimeBundle } from "./bundle.ts";
export { bundleOf, hides, noteHidden, withNote } from "./bundle-of.ts";
export { fitBundle, savedSize } from "./fit.ts";
export { maskBlocks } from "./mask-blocks.ts";
export { maskOwnBundle } from "./own-bundle.ts";
export { plainTextOf } from "./plain-text.ts";
export { looksLikeBundle, toBundle } from "./to-bundle.ts";
