import { inspect } from "node:util";
import { isRevealed, type MimeBundle, renderBundle, type Secrets } from "../../../lib/mod.ts";
import { loadMarkupParser } from "../../platform/mod.ts";
import type { Shown } from "../cell/mod.ts";
import { currentOutput } from "./output.ts";

/** The metadata of an output that contains revealed secrets. */
const HOLDS_SECRETS = { restlab: { holds_secrets: true } };

/**
 * Shows a value. Its bundle is created on demand.
 *
 * @param secrets What to mask; by default the secrets of the cell that calls this.
 * @param display What is shown in its place, if it displays itself.
 */
export function show(
  value: unknown,
  secrets: Secrets | undefined = currentOutput()?.secrets,
  display: unknown = value,
): Shown {
  let bundle: MimeBundle | undefined;
  let failure: Shown["failure"];
  return {
    value,
    display,
    metadata: isRevealed(value) ? HOLDS_SECRETS : {},
    bundle: () => {
      // JupyterLab prefers application/json to text/html and would show a tree instead of the response;
      // `client.show(exchange, "json")` does that.
      bundle ??= renderBundle(display, {
        inspect,
        json: false,
        markup: loadMarkupParser,
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
