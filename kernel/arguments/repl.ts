import { parseArgs } from "node:util";
import type { Form, Pretty, ReplOptions, RequestWords } from "../repl/mod.ts";
import { PROGRAM_HELP } from "./help.ts";
import { oneOf, SESSION_OPTIONS, toSessionOptions } from "./session-options.ts";

/** The prompt, entries of `-e` or standard input, or one request. */
export type ReplCommand =
  | { readonly kind: "repl"; readonly options: ReplOptions }
  | { readonly kind: "text"; readonly text: string };

/** The options of `restlab` without a command, besides those of sessions. */
export const REPL_OPTIONS = {
  eval: { type: "string", short: "e", multiple: true },
  json: { type: "boolean" },
  body: { type: "boolean" },
  headers: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
  verbose: { type: "boolean", short: "v" },
  pretty: { type: "string" },
  "check-status": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const FORMS = ["json", "body", "headers", "quiet"] as const satisfies readonly Form[];

const PRETTY = ["none", "format", "colors", "all"] as const satisfies readonly Pretty[];

/**
 * Parses the arguments of `restlab` without a command.
 *
 * @param request The words of the request, if the command line is one.
 */
export function parseRepl(words: readonly string[], request?: RequestWords): ReplCommand {
  const { values } = parseArgs({
    args: [...words],
    options: { ...REPL_OPTIONS, ...SESSION_OPTIONS },
  });
  if (values.help) return { kind: "text", text: PROGRAM_HELP };
  const form = oneOf(FORMS, values) ?? "shown";
  const pretty = PRETTY.find((one) => one === values.pretty);
  if (values.pretty !== undefined && pretty === undefined) {
    throw new Error(`--pretty "${values.pretty}" is unknown: write ${PRETTY.join(", ")}`);
  }
  return {
    kind: "repl",
    options: {
      ...(request === undefined ? {} : { request }),
      entries: values.eval ?? [],
      form,
      verbose: values.verbose ?? false,
      ...(pretty === undefined ? {} : { pretty }),
      checkStatus: values["check-status"] ?? false,
      ...toSessionOptions(values),
    },
  };
}
