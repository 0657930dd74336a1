import { inspect } from "node:util";
import { type MimeBundle, renderBundle } from "../../lib/mod.ts";
import type { Shown } from "./outcome.ts";

/** A value whose bundle is made when it is first asked for. */
export function show(value: unknown): Shown {
  let bundle: MimeBundle | undefined;
  return {
    value,
    bundle: () => {
      // JupyterLab ranks application/json above text/html and would show a bare tree in place of the
      // answer; `client.show(exchange, "json")` asks for it.
      bundle ??= renderBundle(value, { inspect, json: false });
      return bundle;
    },
  };
}
