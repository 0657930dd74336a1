import { inspect } from "node:util";
import { type MimeBundle, renderBundle } from "../../lib/mod.ts";
import type { Shown } from "./outcome.ts";

/** A value whose bundle is made when it is first asked for. */
export function show(value: unknown): Shown {
  let bundle: MimeBundle | undefined;
  return {
    value,
    bundle: () => {
      bundle ??= renderBundle(value, { inspect });
      return bundle;
    },
  };
}
