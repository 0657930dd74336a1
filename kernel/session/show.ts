import { inspect } from "node:util";
import { mergeVerifyRules } from "../../lib/json/mod.ts";
import {
  isExchange,
  isRevealed,
  type MimeBundle,
  renderBundle,
  type Secrets,
  type VerifyRule,
} from "../../lib/mod.ts";
import { type SummaryOptions, summarizeResponse } from "../../lib/verify/mod.ts";
import type { Shown } from "./cell/mod.ts";
import { currentOutput } from "./output.ts";

/**
 * Shows a value. Its bundle and its metadata are created on demand.
 *
 * @param secrets What to mask; by default the secrets of the cell that calls this.
 * @param display What is shown in its place, if it displays itself.
 */
export function show(
  value: unknown,
  secrets: Secrets | undefined = currentOutput()?.secrets,
  display: unknown = value,
): Shown {
  const bundles = new Map<boolean, MimeBundle>();
  let metadata: Shown["metadata"] | undefined;
  let failure: Shown["failure"];

  // JupyterLab prefers application/json to text/html and would show a tree instead of the response;
  // `client.show(exchange, "json")` does that.
  const render = (stable: boolean): MimeBundle =>
    renderBundle(display, {
      inspect,
      json: false,
      stable,
      secrets: secrets === undefined ? [] : [secrets],
      onFailure: (cause) => {
        failure = { cause };
      },
    });
  return {
    value,
    display,
    get metadata() {
      metadata ??= outputMetadata(value);
      return metadata;
    },
    bundle: ({ stable = false } = {}) => {
      const bundle = bundles.get(stable) ?? render(stable);
      bundles.set(stable, bundle);
      return bundle;
    },
    get failure() {
      return failure;
    },
  };
}

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
