import { maskAnswerText, toVisibleText } from "../../../lib/display/mod.ts";
import type { Exchange, Hidden } from "../../../lib/mod.ts";

/** Whether bytes are not text: they contain a NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 4096).includes(0);
}

/**
 * The masked text of a body for a terminal; an empty or binary body is described.
 *
 * @param advice What to do with a binary body.
 * @param hidden Secrets to mask besides those of the exchange.
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
