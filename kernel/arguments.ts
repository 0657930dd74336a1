import { parseArgs } from "node:util";
import { nearNames } from "../lib/interpolation/mod.ts";
import type { CheckOptions } from "./check/mod.ts";
import { HELP } from "./help.ts";
import {
  type JupyterCommand,
  parseInstall,
  parseKernel,
  parseUninstall,
} from "./install-arguments.ts";
import type { RunOptions } from "./notebook/mod.ts";
import type { Form, Pretty, ReplOptions, RequestWords } from "./repl/mod.ts";
import { splitRequest } from "./request-arguments.ts";
import { NO_FILE, parseVariable, SESSION_OPTIONS, toSessionOptions } from "./session-arguments.ts";
import { parseTest, type TestCommand } from "./test-arguments.ts";
import { joinNegativeNumbers, toUsageMessage } from "./usage-message.ts";
import { parseVerify, type VerifyCommand } from "./verify-arguments.ts";

/** A parsed command line. */
export type Command =
  | JupyterCommand
  | TestCommand
  | VerifyCommand
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "usage-error"; readonly message: string; readonly advice: string }
  | { readonly kind: "run"; readonly options: RunOptions; readonly interactive: boolean }
  | { readonly kind: "check"; readonly options: CheckOptions }
  | { readonly kind: "version" }
  | { readonly kind: "repl"; readonly options: ReplOptions }
  | { readonly kind: "demo"; readonly port: number; readonly host: string };

type Parser = (words: readonly string[]) => Command;

const PARSERS: Readonly<Record<string, Parser>> = {
  run: parseRun,
  test: parseTest,
  check: parseCheck,
  verify: parseVerify,
  demo: parseDemo,
  kernel: parseKernel,
  install: parseInstall,
  uninstall: parseUninstall,
};

/**
 * Parses a command line.
 *
 * @param words The arguments of the process.
 * @returns The command; a usage error is a command that prints it and exits with 2.
 */
export function parseArguments(words: readonly string[]): Command {
  const [name, ...rest] = words;
  const split = splitRequest(words);
  if (split !== undefined) {
    return parseWith((own) => parseRepl(own, split.request), split.own, undefined);
  }
  if (name === "--version" || name === "-V") return { kind: "version" };
  if (name === "--help" || name === "-h" || name === "help") {
    return help(rest[0]);
  }
  if (name === undefined || (name.startsWith("-") && name !== "-")) {
    return parseWith(parseRepl, words, undefined);
  }
  const parse = PARSERS[name];
  if (parse === undefined) return usageError(unknownCommand(name));
  if (rest.includes("--help") || rest.includes("-h")) return help(name);
  return parseWith(parse, rest, name);
}

function parseWith(parse: Parser, words: readonly string[], name: string | undefined): Command {
  try {
    return parse(joinNegativeNumbers(words));
  } catch (error) {
    if (error instanceof Error)
      return usageError(toUsageMessage(error, HELP[name ?? ""] ?? ""), name);
    throw error;
  }
}

const FORMS = ["json", "body", "headers", "quiet"] as const satisfies readonly Form[];

const PRETTY = ["none", "format", "colors", "all"] as const satisfies readonly Pretty[];

function parseRepl(words: readonly string[], request?: RequestWords): Command {
  const { values } = parseArgs({
    args: [...words],
    options: {
      eval: { type: "string", short: "e", multiple: true },
      json: { type: "boolean" },
      body: { type: "boolean" },
      headers: { type: "boolean" },
      quiet: { type: "boolean", short: "q" },
      verbose: { type: "boolean", short: "v" },
      pretty: { type: "string" },
      "check-status": { type: "boolean" },
      ...SESSION_OPTIONS,
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return help(undefined);
  const forms = FORMS.filter((form) => values[form]);
  if (forms.length > 1) {
    throw new Error(`Only one of ${forms.map((form) => `--${form}`).join(" and ")} can be given`);
  }
  const pretty = PRETTY.find((one) => one === values.pretty);
  if (values.pretty !== undefined && pretty === undefined) {
    throw new Error(`--pretty "${values.pretty}" is unknown: write ${PRETTY.join(", ")}`);
  }
  return {
    kind: "repl",
    options: {
      ...(request === undefined ? {} : { request }),
      entries: values.eval ?? [],
      form: forms[0] ?? "shown",
      verbose: values.verbose ?? false,
      ...(pretty === undefined ? {} : { pretty }),
      checkStatus: values["check-status"] ?? false,
      ...toSessionOptions(values),
    },
  };
}

function parseRun(words: readonly string[]): Command {
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
  if (values.json && values.brief) throw new Error("Only one of --json and --brief can be given");
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
      form: values.json ? "json" : values.brief ? "brief" : "shown",
      checkStatus: values["check-status"] ?? false,
      ...(values.output === undefined ? {} : { output: values.output }),
      stable: values.stable ?? false,
    },
  };
}

function parseCheck(words: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      var: { type: "string", multiple: true },
      env: { type: "string" },
      json: { type: "boolean" },
    },
  });
  if (positionals.length === 0) throw new Error(NO_FILE);
  return {
    kind: "check",
    options: {
      files: positionals,
      variables: (values.var ?? []).map(parseVariable),
      json: values.json ?? false,
      ...(values.env === undefined ? {} : { environment: values.env }),
    },
  };
}

function parseDemo(words: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...words],
    options: { port: { type: "string", short: "p" }, host: { type: "string" } },
  });
  const port = Number(values.port ?? "8787");
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(
      `--port "${values.port}" is not a port: give a number from 0 (a free one) to 65535`,
    );
  }
  return { kind: "demo", port, host: values.host ?? "127.0.0.1" };
}

function help(name: string | undefined): Command {
  const text = HELP[name ?? ""];
  return text === undefined ? usageError(unknownCommand(name ?? "")) : { kind: "text", text };
}

function unknownCommand(name: string): string {
  if (/\.(ipynb|http|rest)$/i.test(name)) {
    return `"${name}" is not a command: to run a file, write "restlab run ${name}"`;
  }
  const known = Object.keys(HELP).filter((command) => command !== "");
  const [near] = nearNames(name, known, 1);
  return near === undefined
    ? `"${name}" is not a command: the commands are ${known.join(", ")}`
    : `"${name}" is not a command: did you mean "${near}"`;
}

function usageError(message: string, command?: string): Command {
  const more = command === undefined ? "restlab --help" : `restlab ${command} --help`;
  return { kind: "usage-error", message, advice: `Try "${more}".` };
}
