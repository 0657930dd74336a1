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

/** What a front end stores beside an output in which secrets were revealed. */
const HOLDS_SECRETS = { restlab: { holds_secrets: true } };

/** It takes a start of 30 ms to load, and is needed where code makes markup that holds a secret. */
const markup = (): MarkupParser => createRequire(import.meta.url)("parse5") as MarkupParser;

/**
 * A value whose bundle is made when it is first asked for.
 *
 * @param secrets What the bundle must not show; that of the cell whose code calls this unless given.
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
      // JupyterLab ranks application/json above text/html and would show a bare tree in place of the
      // answer; `client.show(exchange, "json")` asks for it.
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
