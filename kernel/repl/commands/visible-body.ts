import { toVisibleText } from "../../../lib/display/mod.ts";
import type { Exchange } from "../../../lib/mod.ts";

/** Whether bytes are not text: they contain a NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 4096).includes(0);
}

/**
 * The text of a body for a terminal; an empty or binary body is described.
 *
 * @param advice What to do with a binary body.
 * @param mask Masks secrets in the text.
 * @example `597 bytes of image/png: .save FILE keeps them`
 */
export function visibleBody(
  { bytes, text, mediaType }: Exchange,
  advice: string,
  mask: (text: string) => string,
): string {
  if (bytes.length === 0) return "Empty body";
  const type = mediaType || "unknown type";
  return toVisibleText(
    mask(isBinary(bytes) ? `${bytes.length} bytes of ${type}: ${advice}` : text),
  );
}
