import { toVisibleText } from "../../lib/display/mod.ts";
import type { Exchange } from "../../lib/mod.ts";

/** Whether bytes are no text in any encoding that people write. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 4096).includes(0);
}

/**
 * A body as a person can read it at a terminal; one that is empty or binary is described.
 *
 * @param advice What to do with binary ones.
 * @example `597 bytes of image/png: .save FILE keeps them`
 */
export function visibleBody({ bytes, text, mediaType }: Exchange, advice: string): string {
  if (bytes.length === 0) return "Empty body";
  if (isBinary(bytes)) return `${bytes.length} bytes of ${mediaType || "unknown type"}: ${advice}`;
  return toVisibleText(text);
}
