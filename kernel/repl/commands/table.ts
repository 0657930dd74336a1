import { FILE_COMMANDS } from "./files.ts";
import { findCommand } from "./find-command.ts";
import { commandHelp, helpText } from "./help-text.ts";
import { REQUEST_COMMANDS } from "./requests.ts";
import { type Command, choicesOf } from "./shell.ts";
import { VARIABLE_COMMANDS } from "./variables.ts";

const SESSION_COMMANDS: readonly Command[] = [
  {
    name: "help",
    usage: "[COMMAND]",
    summary: "list entries, commands and keys, or say how a command is used",
    examples: [[".help set"]],
    complete: (typed) => choicesOf(COMMANDS.keys(), typed),
    run: async (argument, { platform, pageText }) => {
      const columns = platform.stdout.columns();
      if (argument === "") return await pageText(helpText(COMMANDS, columns));
      const command = findCommand(argument.replace(/^\./, ""), COMMANDS, ALIASES);
      await pageText(commandHelp(command, columns));
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
    run: async (_argument, { session, journal, begin, say }) => {
      await session.reset();
      session.settings.headers.clear();
      session.settings.timeout = undefined;
      journal.clear();
      begin();
      say("The session is new");
    },
  },
  {
    name: "quit",
    usage: "",
    summary: "leave, as Ctrl-D does",
    run: (_argument, { quit }) => quit(),
  },
];

/** All commands by name, in the order in which `.help` lists them. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [...VARIABLE_COMMANDS, ...REQUEST_COMMANDS, ...FILE_COMMANDS, ...SESSION_COMMANDS].map(
    (command) => [command.name, command],
  ),
);

/** Words that people type for what has another name here. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["exit", "quit"],
  ["q", "quit"],
  ["?", "help"],
  ["h", "help"],
  ["variables", "vars"],
  ["headers", "header"],
  ["unset", "delete"],
]);
