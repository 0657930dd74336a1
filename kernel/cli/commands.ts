import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ImportOptions } from "../import/mod.ts";
import type { InstallOptions, Scope } from "../jupyter/install/mod.ts";
import type { ReportOption, RunOptions, SecretsOptions } from "../run/mod.ts";
import { oneOf, parseSeconds, SESSION_OPTIONS, toRunOptions, toSessionOptions } from "./options.ts";

/** A command that runs documents, or checks them. */
export interface RunCommand<Kind extends string> {
  readonly kind: Kind;
  readonly options: RunOptions;
}

/** Parses the arguments of `restlab run`. */
export function parseRun(words: readonly string[]): RunCommand<"run"> & {
  /** Whether to open a prompt with the session afterwards. */
  readonly interactive: boolean;
} {
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
  const { output, stable, interactive = false } = values;
  const options = toRunOptions(values, positionals);
  const form = oneOf(["json", "brief"], values) ?? "shown";
  if (stable === true && output === undefined) {
    throw new Error("--stable needs --output FILE, which it writes without times and dates");
  }
  const keepGoing = values["keep-going"];
  const checkStatus = values["check-status"];
  return {
    kind: "run",
    interactive,
    options: { ...options, form, output, stable, keepGoing, checkStatus },
  };
}

/** Parses the arguments of `restlab test`. */
export function parseTest(words: readonly string[]): RunCommand<"test"> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...SESSION_OPTIONS,
      name: { type: "string", short: "n", multiple: true },
      grep: { type: "string", short: "g", multiple: true },
      tag: { type: "string", short: "t", multiple: true },
      bail: { type: "boolean" },
      "pass-with-no-tests": { type: "boolean" },
      parallel: { type: "string", short: "p" },
      retry: { type: "string" },
      "retry-delay": { type: "string" },
      shard: { type: "string" },
      data: { type: "string", short: "d" },
      watch: { type: "boolean", short: "w" },
      ...REPORT_OPTION,
    },
  });
  const options = toRunOptions(values, positionals);
  const { name = [], grep = [], tag = [], bail, shard, data, watch } = values;
  const delay = values["retry-delay"];
  return {
    kind: "test",
    options: {
      ...options,
      selection: { names: name, patterns: grep.map(parsePattern), tags: tag },
      bail,
      passWithNoTests: values["pass-with-no-tests"],
      parallel: parseCount("--parallel", values.parallel ?? "1", { least: 1, most: 100 }),
      retries: parseCount("--retry", values.retry ?? "0", { least: 0, most: 100 }),
      retryDelay: delay === undefined ? undefined : parseSeconds(delay, "--retry-delay"),
      shard: shard === undefined ? undefined : parseShard(shard),
      data,
      watch,
      reports: parseReports(values.report, ["junit", "json", "html", "tap", "github"]),
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

function parseShard(text: string): RunOptions["shard"] {
  const [, index, count] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new Error(`--shard "${text}" is not a part: write for example --shard 2/5`);
  }
  return { index, count };
}

/** Parses the arguments of `restlab verify`. */
export function parseVerify(words: readonly string[]): RunCommand<"verify"> {
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
  const { baseline, openapi, strict, update = false, stable } = values;
  const options = toRunOptions(values, positionals);
  if (update && baseline !== undefined) {
    throw new Error(
      `--update writes notebooks, not a baseline: write "restlab run --record ${baseline} FILE..."`,
    );
  }
  if (stable === true && !update) {
    throw new Error("--stable needs --update, which writes the outputs");
  }
  const reports = parseReports(values.report, ["json", "junit"]);
  return {
    kind: "verify",
    options: { ...options, baseline, openapi, strict, update, stable, reports },
  };
}

/** The option of `--report`, as `parseArgs` takes it. */
const REPORT_OPTION = {
  report: { type: "string", short: "r", multiple: true },
} as const;

/** The comma between two reports; the name of a file may have others. */
const NEXT_REPORT = /,(?=[a-z]+=|(?:junit|json|html|tap|github)(?:,|$))/;

/**
 * Parses the values of `--report`: `FORMAT` or `FORMAT=FILE`, several separated by commas.
 *
 * @throws {Error} A format is unknown, or two reports would be written to one place.
 */
function parseReports(
  texts: readonly string[] = [],
  formats: readonly ReportOption["format"][],
): readonly ReportOption[] {
  const reports = texts
    .flatMap((text) => text.split(NEXT_REPORT))
    .map((text) => parseReport(text, formats));
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

function parseReport(text: string, formats: readonly ReportOption["format"][]): ReportOption {
  const [, name = text, path] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const format = formats.find((one) => one === name);
  if (format === undefined) {
    throw new Error(`--report "${text}" is unknown: the formats are ${formats.join(", ")}`);
  }
  if (path === undefined) return { format };
  if (path === "") throw new Error(`--report "${text}" has no file: write --report ${format}=FILE`);
  return { format, path };
}

/** Parses the arguments of `restlab check`. */
export function parseCheck(words: readonly string[]): RunCommand<"check"> {
  const { var: variable, env } = SESSION_OPTIONS;
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { var: variable, env, json: { type: "boolean" } },
  });
  const form = values.json === true ? "json" : "shown";
  return { kind: "check", options: { ...toRunOptions(values, positionals), form } };
}

/** Parses the arguments of `restlab secrets`. */
export function parseSecrets(words: readonly string[]): {
  readonly kind: "secrets";
  readonly options: SecretsOptions;
} {
  const { var: variable, env } = SESSION_OPTIONS;
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { var: variable, env, test: { type: "string" } },
  });
  const options = { ...toSessionOptions(values), files: positionals, test: values.test };
  return { kind: "secrets", options };
}

/** Parses the arguments of `restlab import`, which the prompt has as well. */
export function parseImport(words: readonly string[]): {
  readonly kind: "import";
  readonly options: ImportOptions;
} {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      output: { type: "string", short: "o" },
      from: { type: "string" },
      all: { type: "boolean" },
      force: { type: "boolean" },
      "dry-run": { type: "boolean" },
      strict: { type: "boolean" },
    },
  });
  if (positionals.length === 0) {
    throw new Error("No source is given: name a file, a folder or a URL, or - for standard input");
  }
  const { "dry-run": dryRun, ...options } = values;
  return { kind: "import", options: { ...options, dryRun, sources: positionals } };
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

/** Parses the arguments of `restlab kernel`, which Jupyter runs; `jupyter run` and `console` pass theirs on. */
export function parseKernel(words: readonly string[]): JupyterCommand {
  const { values } = parseArgs({
    args: [...words],
    options: { "connection-file": { type: "string", short: "f" } },
    strict: false,
  });
  const connectionFile = values["connection-file"];
  if (typeof connectionFile !== "string") {
    throw new Error(
      'No connection file is given: Jupyter starts kernels itself, after "restlab install"',
    );
  }
  return { kind: "kernel", connectionFile };
}

/** Parses the arguments of `restlab install`. */
export function parseInstall(words: readonly string[]): JupyterCommand {
  const options = { ...INSTALL_OPTIONS, force: { type: "boolean" } } as const;
  const { values } = parseArgs({ args: [...words], options });
  return { kind: "install", options: { ...toOptions(values), force: values.force ?? false } };
}

/** Parses the arguments of `restlab uninstall`. */
export function parseUninstall(words: readonly string[]): JupyterCommand {
  const { values } = parseArgs({ args: [...words], options: INSTALL_OPTIONS });
  return { kind: "uninstall", options: toOptions(values) };
}

const INSTALL_OPTIONS = {
  user: { type: "boolean" },
  "sys-prefix": { type: "boolean" },
  prefix: { type: "string" },
  name: { type: "string" },
  "display-name": { type: "string" },
  runtime: { type: "string" },
} as const;

interface InstallValues {
  readonly user?: boolean;
  readonly "sys-prefix"?: boolean;
  readonly prefix?: string;
  readonly name?: string;
  readonly "display-name"?: string;
  readonly runtime?: string;
}

function toOptions(values: InstallValues): InstallOptions {
  const runtime = RUNTIMES.find((name) => name === values.runtime);
  if (values.runtime !== undefined && runtime === undefined) {
    throw new Error(`--runtime "${values.runtime}" is not a runtime: write ${RUNTIMES.join(", ")}`);
  }
  const { name, "display-name": displayName } = values;
  return { scope: toScope(values), runtime, name, displayName };
}

function toScope(values: InstallValues): Scope {
  const given = oneOf(["user", "sys-prefix", "prefix"], values);
  if (values.prefix === "") throw new Error('--prefix "" is not a folder: write --prefix DIR');
  if (values.prefix !== undefined) return { kind: "prefix", directory: values.prefix };
  return { kind: given === "sys-prefix" ? "sys-prefix" : "user" };
}
