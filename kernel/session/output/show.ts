import { createRequire } from "node:module";
import { inspect } from "node:util";
import {
  isRevealed,
  type MarkupParser,
  type MimeBundle,
  renderBundle,
  type Secrets,
} from "../../../lib/mod.ts";
import type { Shown } from "../cell/mod.ts";
import { currentOutput } from "./output.ts";

/** The metadata of an output that contains revealed secrets. */
const HOLDS_SECRETS = { restlab: { holds_secrets: true } };

/** Loaded on demand, which takes 30 ms: only markup of a cell that contains a secret needs it. */
const markup = (): MarkupParser => createRequire(import.meta.url)("parse5") as MarkupParser;

/**
 * Shows a value. Its bundle is created on demand.
 *
 * @param secrets What to mask; by default the secrets of the cell that calls this.
 */
export function show(
  value: unknown,
  secrets: Secrets | undefined = currentOutput()?.secrets,
): Shown {
  let bundle: MimeBundle | undefined;
  let failure: Shown["failure"];
  return {
    value,
    metadata: isRevealed(value) ? HOLDS_SECRETS : {},
    bundle: () => {
      // JupyterLab prefers application/json to text/html and would show a tree instead of the response;
      // `client.show(exchange, "json")` does that.
      bundle ??= renderBundle(value, {
        inspect,
        json: false,
        markup,
        secrets: secrets === undefined ? [] : [secrets],
        onFailure: (cause) => {
          failure = { cause };
        },
      });
      return bundle;
    },
    get failure() {
      return failure;
    },
  };
}
