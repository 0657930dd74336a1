import { isExchange, isRevealed, type VerifyRule } from "../../../lib/mod.ts";
import { mergeVerifyRules } from "../../../lib/shape/mod.ts";
import { type SummaryOptions, summarizeResponse } from "../../../lib/verify/mod.ts";

/**
 * The metadata of an output: what a response promises, which `restlab verify` compares with later responses, or
 * that the output contains revealed secrets.
 *
 * @param rule What is compared, if the metadata of the cell says so.
 */
export function outputMetadata(
  value: unknown,
  rule?: VerifyRule,
  options: SummaryOptions = {},
): Readonly<Record<string, unknown>> {
  try {
    if (isRevealed(value)) return { restlab: { holds_secrets: true } };
    if (!isExchange(value)) return {};
    const whole = mergeVerifyRules(value.request.verify, rule);
    return { restlab: { response: summarizeResponse(value, whole, options) } };
  } catch {
    // A value of a cell may throw whatever is read of it. It is displayed all the same, and promises nothing.
    return {};
  }
}
