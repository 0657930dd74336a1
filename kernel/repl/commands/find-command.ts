import { nearNames } from "../../../lib/interpolation/mod.ts";
import { type Command, CommandError } from "./shell.ts";

/**
 * Finds a command by its name or by another word for it.
 *
 * @param name As it was typed behind the point; capitals are small letters.
 * @throws {CommandError} There is none; the message names the near ones.
 */
export function findCommand(
  name: string,
  commands: ReadonlyMap<string, Command>,
  aliases: ReadonlyMap<string, string>,
): Command {
  const small = name.toLowerCase();
  const command = commands.get(small) ?? commands.get(aliases.get(small) ?? "");
  if (command !== undefined) return command;
  const near = nearNames(small, [...commands.keys(), ...aliases.keys()]);
  const hint =
    near.length > 0 ? `did you mean ${near.map((it) => `.${it}`).join(" or ")}` : ".help lists all";
  throw new CommandError(`".${name}" is not a command: ${hint}`);
}
