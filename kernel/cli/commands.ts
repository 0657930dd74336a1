import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { InstallOptions, Scope } from "../jupyter/install/mod.ts";
import type {
  CheckOptions,
  ReportOption,
  RunOptions,
  Shard,
  TestOptions,
  VerifyOptions,
  VerifyReport,
} from "../run/mod.ts";
import {
  NO_FILE,
  oneOf,
  parseVariable,
  SESSION_OPTIONS,
  toSessionOptions,
} from "./session-options.ts";

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

/** `restlab demo`. */
export interface DemoCommand {
  readonly kind: "demo";
  readonly port: number;
  readonly host: string;
}

/** Parses the arguments of `restlab demo`. */
export function parseDemo(words: readonly string[]): DemoCommand {
  const { values } = parseArgs({
    args: [...words],
    options: { port: { type: "string", short: "p" }, host: { type: "string" } },
  });
  const { port = "8787", host = "127.0.0.1" } = values;
  if (!/^\d+$/.test(port) || Number(port) > 65535) {
    throw new Error(`--port "${port}" is not a port: give a number from 0 (a free one) to 65535`);
  }
  // Node listens on all addresses if the host is empty.
  if (host === "") throw new Error('--host "" is not an address: give one, such as 127.0.0.1');
  return { kind: "demo", port: Number(port), host };
}

/** A parsed command for Jupyter. */
export type JupyterCommand =
  | { readonly kind: "kernel"; readonly connectionFile: string }
  | { readonly kind: "install"; readonly options: InstallOptions }
  | { readonly kind: "uninstall"; readonly options: InstallOptions };

const RUNTIMES = ["node", "deno", "bun"] as const;

/** Parses the arguments of `restlab kernel`, which Jupyter runs. */
export function parseKernel(words: readonly string[]): JupyterCommand {
  const { values } = parseArgs({
    args: [...words],
    options: { "connection-file": { type: "string", short: "f" } },
  });
  const connectionFile = values["connection-file"];
  if (connectionFile === undefined) {
    throw new Error(
      'No connection file is given: Jupyter starts kernels itself, after "restlab install"',
    );
  }
  return { kind: "kernel", connectionFile };
}

/** Parses the arguments of `restlab install`. */
export function parseInstall(words: readonly string[]): JupyterCommand {
  const options = { ...OPTIONS, force: { type: "boolean" } } as const;
  const { values } = parseArgs({ args: [...words], options });
  return { kind: "install", options: { ...toOptions(values), force: values.force ?? false } };
}

/** Parses the arguments of `restlab uninstall`. */
export function parseUninstall(words: readonly string[]): JupyterCommand {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  return { kind: "uninstall", options: toOptions(values) };
}

const OPTIONS = {
  user: { type: "boolean" },
  "sys-prefix": { type: "boolean" },
  prefix: { type: "string" },
  name: { type: "string" },
  "display-name": { type: "string" },
  runtime: { type: "string" },
} as const;

type Values = Parameters<typeof toScope>[0] & {
  readonly name?: string | undefined;
  readonly "display-name"?: string | undefined;
  readonly runtime?: string | undefined;
};

function toOptions(values: Values): InstallOptions {
  const runtime = RUNTIMES.find((name) => name === values.runtime);
  if (values.runtime !== undefined && runtime === undefined) {
    throw new Error(`--runtime "${values.runtime}" is not a runtime: write ${RUNTIMES.join(", ")}`);
  }
  return {
    scope: toScope(values),
    ...(runtime === undefined ? {} : { runtime }),
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values["display-name"] === undefined ? {} : { displayName: values["display-name"] }),
  };
}

function toScope(values: {
  readonly user?: boolean | undefined;
  readonly "sys-prefix"?: boolean | undefined;
  readonly prefix?: string | undefined;
}): Scope {
  const given = oneOf(["user", "sys-prefix", "prefix"], values);
  if (values.prefix === "") throw new Error('--prefix "" is not a folder: write --prefix DIR');
  if (values.prefix !== undefined) return { kind: "prefix", directory: values.prefix };
  return { kind: given === "sys-prefix" ? "sys-prefix" : "user" };
}

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

/** `restlab test`. */
export interface TestCommand {
  readonly kind: "test";
  readonly options: TestOptions;
}

const TEST_FORMATS = [
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
      reports: parseReports(values.report ?? [], TEST_FORMATS),
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

/** `restlab verify`. */
export interface VerifyCommand {
  readonly kind: "verify";
  readonly options: VerifyOptions;
}

const VERIFY_FORMATS = ["json", "junit"] as const satisfies readonly VerifyReport["format"][];

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
      reports: parseReports(values.report ?? [], VERIFY_FORMATS),
    },
  };
}

/** The option of `--report`, as `parseArgs` takes it. */
const REPORT_OPTION = {
  report: { type: "string", short: "r", multiple: true },
} as const;

/** A report in one of the formats of a command. */
interface Report<Format extends string> {
  readonly format: Format;
  /** The file; absent for standard output. */
  readonly path?: string;
}

/**
 * Parses the values of `--report`: `FORMAT` or `FORMAT=FILE`.
 *
 * @throws {Error} A format is unknown, or two reports would be written to one place.
 */
function parseReports<Format extends string>(
  texts: readonly string[],
  formats: readonly Format[],
): readonly Report<Format>[] {
  const reports = texts.map((text) => parseReport(text, formats));
  const taken = new Set<string | undefined>();
  for (const { format, path } of reports) {
    // Annotations are found between other lines.
    if (path === undefined && format === "github") continue;
    const place = path === undefined ? undefined : resolve(path);
    if (taken.has(place)) {
      const shown = path === undefined ? "standard output" : `"${path}"`;
      throw new Error(`Two reports would be written to ${shown}: give each a file of its own`);
    }
    taken.add(place);
  }
  return reports;
}

function parseReport<Format extends string>(
  text: string,
  formats: readonly Format[],
): Report<Format> {
  const [, name = text, path] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const format = formats.find((one) => one === name);
  if (format === undefined) {
    throw new Error(`--report "${text}" is unknown: the formats are ${formats.join(", ")}`);
  }
  if (path === undefined) return { format };
  if (path === "") throw new Error(`--report "${text}" has no file: write --report ${format}=FILE`);
  return { format, path };
}
