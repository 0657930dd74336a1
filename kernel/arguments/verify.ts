import { parseArgs } from "node:util";
import type { VerifyOptions, VerifyReport } from "../verify/mod.ts";
import { parseReports, REPORT_OPTION } from "./reports.ts";
import { NO_FILE, SESSION_OPTIONS, toSessionOptions } from "./session-options.ts";

/** `restlab verify`. */
export interface VerifyCommand {
  readonly kind: "verify";
  readonly options: VerifyOptions;
}

const FORMATS = ["json", "junit"] as const satisfies readonly VerifyReport["format"][];

/** Parses the arguments of `restlab verify`. */
export function parseVerify(words: readonly string[]): VerifyCommand {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...SESSION_OPTIONS,
      baseline: { type: "string" },
      openapi: { type: "string" },
      strict: { type: "boolean" },
      update: { type: "boolean" },
      stable: { type: "boolean" },
      ...REPORT_OPTION,
    },
  });
  const { baseline, openapi, strict = false, update = false, stable = false } = values;
  const sessionOptions = toSessionOptions(values);
  if (positionals.length === 0) throw new Error(NO_FILE);
  if (update && baseline !== undefined) {
    throw new Error(
      `--update writes notebooks, not a baseline: write "restlab run --record ${baseline} FILE..."`,
    );
  }
  if (stable && !update) throw new Error("--stable needs --update, which writes the outputs");
  return {
    kind: "verify",
    options: {
      files: positionals,
      ...sessionOptions,
      strict,
      update,
      stable,
      ...(baseline === undefined ? {} : { baseline }),
      ...(openapi === undefined ? {} : { openapi }),
      reports: parseReports(values.report ?? [], FORMATS),
    },
  };
}
