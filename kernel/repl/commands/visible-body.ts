import { maskAnswerText, toVisibleText } from "../../../lib/display/mod.ts";
import type { Exchange, Hidden } from "../../../lib/mod.ts";
import { isBinary } from "../../terminal/mod.ts";

/**
 * The masked text of a body for a terminal; an empty or binary body is described.
 *
 * @param advice What to do with a binary body, if anything can be done with this one.
 * @param hidden Secrets to mask besides those of the exchange.
 * @example `597 bytes of image/png: .save FILE keeps them`
 */
export function visibleBody(
  exchange: Exchange,
  advice: string | undefined,
  hidden: readonly Hidden[] = [],
): string {
  const { bytes, text, mediaType } = exchange;
  if (bytes.length === 0) return "Empty body";
  const type = mediaType || "unknown type";
  const description = `${bytes.length} bytes of ${type}`;
  const advised = advice === undefined ? description : `${description}: ${advice}`;
  const shown = isBinary(bytes) ? advised : text;
  return toVisibleText(maskAnswerText(exchange, shown, hidden));
}
