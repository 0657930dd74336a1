import { nearNames } from "../../lib/interpolation/mod.ts";
import { FILE_COMMANDS } from "./files.ts";
import { commandHelp, explain, helpText } from "./help.ts";
import { REQUEST_COMMANDS } from "./requests.ts";
import { type Command, CommandError, choicesOf, type Shell } from "./shell.ts";
import { VARIABLE_COMMANDS } from "./variables.ts";

const ENVIRONMENT_FILE =
  'write them in http-client.env.json, such as {"dev": {"base": "http://localhost:8787"}}';

const SESSION_COMMANDS: readonly Command[] = [
  {
    name: "help",
    usage: "[COMMAND|NAME]",
    summary:
      "list entries, commands and keys, or explain a command, GET, curl, or a name of TypeScript",
    examples: [[".help set"], [".help client", "its members; client? does the same"]],
    complete: (typed) => choicesOf([...COMMANDS.keys(), "client", "GET", "curl", "http"], typed),
    run: async (argument, shell) => {
      const { platform, pageText } = shell;
      const columns = platform.stdout.columns();
      if (argument === "") return await pageText(helpText(COMMANDS, columns));
      // `curl` is what a request begins with, and `.curl` a command.
      const isCommand = COMMANDS.has(argument) || ALIASES.has(argument);
      const isRequest = argument === "curl";
      const about = isCommand && !isRequest ? undefined : await explain(argument, shell);
      if (about !== undefined) return await pageText(about);
      const command = findCommand(argument.replace(/^\./, ""));
      await pageText(commandHelp(command, columns));
    },
  },
  {
    name: "env",
    usage: "[NAME]",
    summary: "use an environment of http-client.env.json and its like, or list them",
    examples: [[".env dev"], [".env", "lists them"]],
    complete: (typed) => choicesOf(typed.client.environment?.names ?? [], typed),
    run: async (argument, { client, journal, print }) => {
      if (argument !== "") {
        for (const warning of (await client.useEnv(argument)).warnings) print(warning);
        journal.add(`%env ${argument}`);
      } else if (client.environment === undefined) await client.useEnv();
      const { name, names = [] } = client.environment ?? {};
      if (names.length === 0) {
        throw new CommandError(`There are no environments: ${ENVIRONMENT_FILE}`);
      }
      const use =
        name === undefined ? "None is in use: .env NAME uses one of" : `In use: ${name}, of`;
      print(`${use} ${names.join(", ")}`);
    },
  },
  {
    name: "secrets",
    usage: "[forget]",
    summary:
      "list the secrets that variables name by references, or forget those that were fetched",
    examples: [
      [".secrets"],
      [".secrets forget", "the next request that uses one fetches it again"],
    ],
    complete: (typed) => choicesOf(["forget"], typed),
    run: async (argument, { client, print }) => {
      if (argument === "forget") {
        const count = client.forgetSecrets();
        return print(`${count === 1 ? "1 secret was" : `${count} secrets were`} forgotten`);
      }
      if (argument !== "") throw new CommandError("Write .secrets, or .secrets forget");
      const named = client.namedSecrets();
      if (named.length === 0)
        print("No variable names a secret by a reference such as op://vault/item/field");
      for (const { name, reference, place } of named) print(`${name}  ${reference}  ${place}`);
    },
  },
  {
    name: "clear",
    usage: "",
    summary: "clear the screen, as Ctrl-L does",
    run: (_argument, { clearScreen }) => clearScreen(),
  },
  {
    name: "reset",
    usage: "",
    summary: "start over: forget everything but the variables of the command line",
    run: async (_argument, { session, journal, setInitialVariables, print }) => {
      await session.reset();
      session.settings.headers.clear();
      session.settings.timeout = undefined;
      journal.clear();
      setInitialVariables();
      print("The session was reset");
    },
  },
  {
    name: "quit",
    usage: "",
    summary: "leave, as Ctrl-D does",
    run: (_argument, { quit }) => quit(),
  },
];

/** All commands by name, in the order of `.help`. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [...VARIABLE_COMMANDS, ...REQUEST_COMMANDS, ...FILE_COMMANDS, ...SESSION_COMMANDS].map(
    (command) => [command.name, command],
  ),
);

export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["exit", "quit"],
  ["q", "quit"],
  ["?", "help"],
  ["h", "help"],
  ["variables", "vars"],
  ["headers", "header"],
  ["unset", "delete"],
]);

/** Whether a line begins with the name of a command. */
export function isCommandLine(line: string): boolean {
  const [, name = ""] = /^\s*\.(\S*)/.exec(line.toLowerCase()) ?? [];
  return COMMANDS.has(name) || ALIASES.has(name);
}

/**
 * Runs a command line such as `.set name value`.
 *
 * @throws {CommandError} The command does not exist, or it takes no argument and has one.
 */
export async function runCommandLine(line: string, shell: Shell): Promise<void> {
  const [, name = "", argument = ""] = /^\s*\.(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = findCommand(name);
  const given = argument.trim();
  if (command.usage === "" && given !== "") {
    throw new CommandError(`".${command.name}" takes no arguments: remove "${given}"`);
  }
  await command.run(given, shell);
}

function findCommand(name: string): Command {
  const lowerCase = name.toLowerCase();
  const command = COMMANDS.get(lowerCase) ?? COMMANDS.get(ALIASES.get(lowerCase) ?? "");
  if (command !== undefined) return command;
  const near = nearNames(lowerCase, [...COMMANDS.keys(), ...ALIASES.keys()]);
  const hint =
    near.length > 0
      ? `did you mean ${near.map((it) => `.${it}`).join(" or ")}?`
      : ".help lists all";
  throw new CommandError(`".${name}" is not a command: ${hint}`);
}
