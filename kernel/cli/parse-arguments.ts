import { nearNames } from "../../lib/interpolation/mod.ts";
import {
  type JupyterCommand,
  parseCheck,
  parseDemo,
  parseImport,
  parseInstall,
  parseKernel,
  parseRun,
  parseSecrets,
  parseTest,
  parseUninstall,
  parseVerify,
  type RunCommand,
} from "./commands.ts";
import { parseCompletions } from "./completions.ts";
import { COMMAND_NAMES, type CommandName, helpOf, METHODS } from "./help.ts";
import { parseRepl, type ReplCommand, splitRequest } from "./repl.ts";

type Parser = (words: readonly string[]) => Command;

const PARSERS: Readonly<Record<CommandName, Parser>> = {
  run: parseRun,
  test: parseTest,
  check: parseCheck,
  verify: parseVerify,
  secrets: parseSecrets,
  import: parseImport,
  demo: parseDemo,
  kernel: parseKernel,
  install: parseInstall,
  uninstall: parseUninstall,
  completions: parseCompletions,
};

/** A parsed command line. */
export type Command =
  | ReturnType<typeof parseRun>
  | RunCommand<"test" | "check" | "verify">
  | ReturnType<typeof parseSecrets>
  | ReturnType<typeof parseImport>
  | ReturnType<typeof parseDemo>
  | JupyterCommand
  | ReplCommand
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "usage-error"; readonly message: string; readonly advice: string }
  | { readonly kind: "version" };

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
  const command = COMMAND_NAMES.find((one) => one === name);
  if (command === undefined) return usageError(unknownCommand(name));
  if (rest.includes("--help") || rest.includes("-h")) return help(name);
  return parseWith(PARSERS[command], rest, name);
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
  if (/\.(?:ya?ml|json|har)$/i.test(name)) {
    return `"${name}" is not a command: to write a notebook for it, write "restlab import ${name}"`;
  }
  const [near] = nearNames(name, [...COMMAND_NAMES, ...METHODS, "curl", "http"], 1);
  return near === undefined
    ? `"${name}" is not a command: the commands are ${COMMAND_NAMES.join(", ")}`
    : `"${name}" is not a command: did you mean "${near}"?`;
}

function usageError(message: string, command?: string): Command {
  const more = command === undefined ? "restlab --help" : `restlab ${command} --help`;
  return { kind: "usage-error", message, advice: `Try "${more}".` };
}

/**
 * Rewords an error of `parseArgs` (`node:util`) as one line; other messages stay as they are.
 *
 * @param help The help of the command, which lists its options.
 */
function toUsageMessage({ message }: Error, help: string): string {
  const [, option = ""] = /^(?:Unknown option|Option) '(?:-\w, )?(-*[^'\s]*)/.exec(message) ?? [];
  const rule = MESSAGES.find(([pattern]) => pattern.test(message));
  return rule === undefined ? message : rule[1](option, help);
}

type Reword = (option: string, help: string) => string;

/** The messages of Node, which Deno and Bun share, and the new ones. */
const MESSAGES: readonly (readonly [pattern: RegExp, reword: Reword])[] = [
  [
    /argument is ambiguous/,
    (option) =>
      `Option ${option} has no value: write one that begins with a dash as ${option}=VALUE`,
  ],
  [/argument missing/, (option) => `Option ${option} has no value`],
  [/does not take an argument/, (option) => `Option ${option} takes no value`],
  [/^Unknown option/, unknownOption],
];

function unknownOption(option: string, help: string): string {
  const known = [...new Set(help.match(/--[a-z][a-z-]*/g))];
  // `--vers` is shorter than what it is near to.
  const near = known.find((one) => one.startsWith(option)) ?? nearNames(option, known, 1)[0];
  // Bun leaves out the dash of a letter in a group of letters.
  const written = option.startsWith("-") ? option : `-${option}`;
  return `Unknown option ${written}${near === undefined ? "" : `: did you mean ${near}?`}`;
}

/** Joins an option and a negative number after it, which `parseArgs` would read as an option. */
function joinNegativeNumbers(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1] ?? "";
    if (/^--[a-z-]+$/.test(word) && isNegative(next)) return [`${word}=${next}`];
    return isNegative(word) && /^--[a-z-]+$/.test(words[index - 1] ?? "") ? [] : [word];
  });
}

const isNegative = (word: string): boolean => /^-\.?\d/.test(word);
