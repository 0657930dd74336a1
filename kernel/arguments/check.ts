import { parseArgs } from "node:util";
import type { CheckOptions } from "../check/mod.ts";
import { NO_FILE, parseVariable } from "./session-options.ts";

/** `restlab check`. */
export interface CheckCommand {
  readonly kind: "check";
  readonly options: CheckOptions;
}

/** Parses the arguments of `restlab check`. */
export function parseCheck(words: readonly string[]): CheckCommand {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      var: { type: "string", multiple: true },
      env: { type: "string" },
      json: { type: "boolean" },
    },
  });
  // Before the check for files: a `--var` without a value takes the name of the file.
  const variables = (values.var ?? []).map(parseVariable);
  if (positionals.length === 0) throw new Error(NO_FILE);
  return {
    kind: "check",
    options: {
      files: positionals,
      variables,
      json: values.json ?? false,
      ...(values.env === undefined ? {} : { environment: values.env }),
    },
  };
}
