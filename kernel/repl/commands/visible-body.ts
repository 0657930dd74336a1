import { toVisibleText } from "../../../lib/display/mod.ts";
import type { Exchange } from "../../../lib/mod.ts";

/** Whether bytes are no text in any encoding that people write. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 4096).includes(0);
}

/**
 * A body as a person can read it at a terminal; one that is empty or binary is described.
 *
 * @param advice What to do with binary ones.
 * @param mask Takes secrets out of the text, before it is made visible.
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
