import { nearNames } from "../../lib/interpolation/mod.ts";
import { type CheckCommand, parseCheck } from "./check.ts";
import { type DemoCommand, parseDemo } from "./demo.ts";
import { COMMAND_NAMES, type CommandName, helpOf } from "./help.ts";
import { type JupyterCommand, parseInstall, parseKernel, parseUninstall } from "./jupyter.ts";
import { parseRepl, type ReplCommand } from "./repl.ts";
import { parseRun, type RunCommand } from "./run.ts";
import { splitRequest } from "./split-request.ts";
import { parseTest, type TestCommand } from "./test.ts";
import { joinNegativeNumbers, toUsageMessage } from "./usage-message.ts";
import { parseVerify, type VerifyCommand } from "./verify.ts";

/** A parsed command line. */
export type Command =
  | CheckCommand
  | DemoCommand
  | JupyterCommand
  | ReplCommand
  | RunCommand
  | TestCommand
  | VerifyCommand
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "usage-error"; readonly message: string; readonly advice: string }
  | { readonly kind: "version" };

type Parser = (words: readonly string[]) => Command;

const PARSERS: ReadonlyMap<string, Parser> = new Map<CommandName, Parser>([
  ["run", parseRun],
  ["test", parseTest],
  ["check", parseCheck],
  ["verify", parseVerify],
  ["demo", parseDemo],
  ["kernel", parseKernel],
  ["install", parseInstall],
  ["uninstall", parseUninstall],
]);

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
    return help(rest.find((word) => !word.startsWith("-")));
  }
  if (name === undefined || (name.startsWith("-") && name !== "-")) {
    return parseWith(parseRepl, words, undefined);
  }
  const parse = PARSERS.get(name);
  if (parse === undefined) return usageError(unknownCommand(name));
  if (rest.includes("--help") || rest.includes("-h")) return help(name);
  return parseWith(parse, rest, name);
}

function parseWith(parse: Parser, words: readonly string[], name: string | undefined): Command {
  try {
    return parse(joinNegativeNumbers(words));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return usageError(toUsageMessage(error, helpOf(name) ?? ""), name);
  }
}

function help(name: string | undefined): Command {
  const text = helpOf(name);
  return text === undefined ? usageError(unknownCommand(name ?? "")) : { kind: "text", text };
}

function unknownCommand(name: string): string {
  if (/\.(ipynb|http|rest)$/i.test(name)) {
    return `"${name}" is not a command: to run a file, write "restlab run ${name}"`;
  }
  const [near] = nearNames(name, COMMAND_NAMES, 1);
  return near === undefined
    ? `"${name}" is not a command: the commands are ${COMMAND_NAMES.join(", ")}`
    : `"${name}" is not a command: did you mean "${near}"`;
}

function usageError(message: string, command?: string): Command {
  const more = command === undefined ? "restlab --help" : `restlab ${command} --help`;
  return { kind: "usage-error", message, advice: `Try "${more}".` };
}
