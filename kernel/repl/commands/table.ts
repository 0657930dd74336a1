import { FILE_COMMANDS } from "./files.ts";
import { REQUEST_COMMANDS } from "./requests.ts";
import type { Command } from "./shell.ts";
import { VARIABLE_COMMANDS } from "./variables.ts";

const SESSION_COMMANDS: readonly Command[] = [
  {
    name: "help",
    usage: "[COMMAND]",
    summary: "list the commands and keys, or say how one is used",
    complete: (word) => [...COMMANDS.keys()].filter((name) => name.startsWith(word)),
    run: async (argument, { pageText, say }) => {
      const command = COMMANDS.get(argument.replace(/^\./, ""));
      if (command !== undefined) return say(`${usageOf(command)}: ${command.summary}`);
      await pageText(HELP());
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
    summary: "forget all variables, TypeScript names, exchanges and settings of this session",
    run: async (_argument, { session, journal, say }) => {
      await session.reset();
      session.settings.headers.clear();
      session.settings.timeout = undefined;
      journal.clear();
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

function usageOf({ name, usage }: Command): string {
  return `.${name} ${usage}`.trimEnd();
}

const KEYS = `Keys:
  Enter              send, run, or go on with what is not complete
  Alt-Enter, Ctrl-O  another line, for headers of a GET; " \\" at the end of a line does the same
  Up, Down           earlier and later entries that begin like this one
  Ctrl-R             search the earlier entries
  Tab                complete
  Alt-E              write the entry in $EDITOR
  Ctrl-C             give up the entry, or end what runs
  Ctrl-Y, Ctrl-_     put back what was cut; undo
  Ctrl-D             leave

A line such as GET {{base}}/users is sent; one that takes a body (POST, PUT, PATCH) goes on with
headers, an empty line and the body. Anything else is TypeScript. Entries that begin with a blank
or hold a secret are not kept in the history.`;

function HELP(): string {
  const usages = [...COMMANDS.values()].map((command) => ({ usage: usageOf(command), command }));
  const column = Math.max(...usages.map(({ usage }) => usage.length));
  const lines = usages.map(({ usage, command }) => `  ${usage.padEnd(column)}  ${command.summary}`);
  return `Commands:\n${lines.join("\n")}\n\n${KEYS}`;
}
