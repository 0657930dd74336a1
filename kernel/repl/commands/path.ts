import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Choice } from "./shell.ts";

/** Resolves a path as a shell does: `~/` is the home folder. */
export function resolvePath(path: string, directory: string): string {
  return resolve(directory, path.replace(/^~(?=\/|$)/, homedir));
}

/**
 * The files and folders whose paths begin with what was typed; none if the folder cannot be read.
 *
 * @param directory The working folder.
 * @param wanted Matches the names of files that are candidates; folders always are.
 */
export async function completePath(
  typed: string,
  directory: string,
  wanted: RegExp = /(?:)/,
): Promise<readonly Choice[]> {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]*)$/.exec(typed) ?? [];
  const entries = await readdir(resolvePath(folder, directory), { withFileTypes: true }).catch(
    () => [], // The command reports a path that does not exist.
  );
  return entries
    .filter((entry) => entry.name.startsWith(name) && !/\s/.test(entry.name))
    .filter((entry) => name.startsWith(".") || !entry.name.startsWith("."))
    .flatMap((entry) => {
      if (entry.isDirectory()) return [{ text: `${folder}${entry.name}/`, detail: "folder" }];
      return wanted.test(entry.name) ? [{ text: `${folder}${entry.name}`, detail: "file" }] : [];
    })
    .sort((one, other) => (one.text < other.text ? -1 : 1));
}
