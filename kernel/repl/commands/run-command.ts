import { nearNames } from "../../../lib/interpolation/mod.ts";
import { type Command, CommandError, type Shell } from "./shell.ts";
import { ALIASES, COMMANDS } from "./table.ts";

/**
 * Runs a command line such as `.set name value`.
 *
 * @throws {CommandError} There is no such command; the message names the near ones.
 */
export async function runCommandLine(line: string, shell: Shell): Promise<void> {
  const [, name = "", argument = ""] = /^\s*\.(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = find(name.toLowerCase());
  if (command === undefined) {
    const near = nearNames(name.toLowerCase(), [...COMMANDS.keys(), ...ALIASES.keys()]);
    const hint =
      near.length > 0
        ? `did you mean ${near.map((it) => `.${it}`).join(" or ")}`
        : ".help lists all";
    throw new CommandError(`".${name}" is no command: ${hint}`);
  }
  await command.run(argument.trim(), shell);
}

function find(name: string): Command | undefined {
  return COMMANDS.get(name) ?? COMMANDS.get(ALIASES.get(name) ?? "");
}
