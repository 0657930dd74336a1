import { maskAnswerText, toVisibleText } from "../../../lib/display/mod.ts";
import type { Exchange, Hidden } from "../../../lib/mod.ts";

/** Whether bytes are no text in any encoding that people write. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 4096).includes(0);
}

/**
 * A body as a person can read it at a terminal, without its secrets; one that is empty or binary is
 * described.
 *
 * @param advice What to do with binary ones.
 * @param hidden What is hidden beside the secrets of the exchange.
 * @example `597 bytes of image/png: .save FILE keeps them`
 */
export function visibleBody(
  exchange: Exchange,
  advice: string,
  hidden: readonly Hidden[] = [],
): string {
  const { bytes, text, mediaType } = exchange;
  if (bytes.length === 0) return "Empty body";
  const type = mediaType || "unknown type";
  const shown = isBinary(bytes) ? `${bytes.length} bytes of ${type}: ${advice}` : text;
  return toVisibleText(maskAnswerText(exchange, shown, hidden));
}
