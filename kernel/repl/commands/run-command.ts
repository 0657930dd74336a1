import { findCommand } from "./find-command.ts";
import { CommandError, type Shell } from "./shell.ts";
import { ALIASES, COMMANDS } from "./table.ts";

/**
 * Runs a command line such as `.set name value`.
 *
 * @throws {CommandError} There is no such command (the message names the near ones), or it
 * takes no argument and has one.
 */
export async function runCommandLine(line: string, shell: Shell): Promise<void> {
  const [, name = "", argument = ""] = /^\s*\.(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = findCommand(name, COMMANDS, ALIASES);
  const given = argument.trim();
  if (command.usage === "" && given !== "") {
    throw new CommandError(`".${command.name}" takes no arguments: remove "${given}"`);
  }
  await command.run(given, shell);
}
