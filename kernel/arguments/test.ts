import { parseArgs } from "node:util";
import type { ReportOption, Shard, TestOptions } from "../suite/mod.ts";
import { parseReports, REPORT_OPTION } from "./reports.ts";
import { NO_FILE, SESSION_OPTIONS, toSessionOptions } from "./session-options.ts";

/** `restlab test`. */
export interface TestCommand {
  readonly kind: "test";
  readonly options: TestOptions;
}

const FORMATS = [
  "junit",
  "json",
  "html",
  "tap",
  "github",
] as const satisfies readonly ReportOption["format"][];

/** Parses the arguments of `restlab test`. */
export function parseTest(words: readonly string[]): TestCommand {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...SESSION_OPTIONS,
      name: { type: "string", short: "n", multiple: true },
      grep: { type: "string", short: "g", multiple: true },
      tag: { type: "string", short: "t", multiple: true },
      bail: { type: "boolean" },
      parallel: { type: "string", short: "p" },
      retry: { type: "string" },
      shard: { type: "string" },
      data: { type: "string", short: "d" },
      watch: { type: "boolean", short: "w" },
      ...REPORT_OPTION,
    },
  });
  const sessionOptions = toSessionOptions(values);
  if (positionals.length === 0) throw new Error(NO_FILE);
  const { name = [], grep = [], tag = [], shard, data } = values;
  return {
    kind: "test",
    options: {
      files: positionals,
      ...sessionOptions,
      selection: { names: name, patterns: grep.map(parsePattern), tags: tag },
      bail: values.bail ?? false,
      parallel: parseCount("--parallel", values.parallel ?? "1", { least: 1, most: 100 }),
      retries: parseCount("--retry", values.retry ?? "0", { least: 0, most: 100 }),
      ...(shard === undefined ? {} : { shard: parseShard(shard) }),
      ...(data === undefined ? {} : { data }),
      watch: values.watch ?? false,
      reports: parseReports(values.report ?? [], FORMATS),
    },
  };
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text, "iu");
  } catch (error) {
    throw new Error(`--grep "${text}" is not a regular expression: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function parseCount(
  option: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new Error(`${option} "${text}" is not a number from ${least} to ${most}`);
}

function parseShard(text: string): Shard {
  const [, index, count] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new Error(`--shard "${text}" is not a part: write for example --shard 2/5`);
  }
  return { index, count };
}
