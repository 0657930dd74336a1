import { parseArgs } from "node:util";
import type { RunOptions } from "../notebook/mod.ts";
import { NO_FILE, oneOf, SESSION_OPTIONS, toSessionOptions } from "./session-options.ts";

/** `restlab run`. */
export interface RunCommand {
  readonly kind: "run";
  readonly options: RunOptions;
  /** Whether to open a prompt with the session afterwards. */
  readonly interactive: boolean;
}

/** Parses the arguments of `restlab run`. */
export function parseRun(words: readonly string[]): RunCommand {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...SESSION_OPTIONS,
      output: { type: "string", short: "o" },
      stable: { type: "boolean" },
      "keep-going": { type: "boolean", short: "k" },
      brief: { type: "boolean", short: "b" },
      json: { type: "boolean" },
      "check-status": { type: "boolean" },
      interactive: { type: "boolean", short: "i" },
    },
  });
  // Before the check for files: a `--var` without a value takes the name of the file.
  const sessionOptions = toSessionOptions(values);
  if (positionals.length === 0) throw new Error(NO_FILE);
  const form = oneOf(["json", "brief"], values) ?? "shown";
  if (values.stable === true && values.output === undefined) {
    throw new Error("--stable needs --output FILE, which it writes without times and dates");
  }
  return {
    kind: "run",
    interactive: values.interactive ?? false,
    options: {
      files: positionals,
      ...sessionOptions,
      keepGoing: values["keep-going"] ?? false,
      form,
      checkStatus: values["check-status"] ?? false,
      ...(values.output === undefined ? {} : { output: values.output }),
      stable: values.stable ?? false,
    },
  };
}
