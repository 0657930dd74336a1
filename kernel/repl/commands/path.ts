import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Choice } from "./shell.ts";

/** A path as a shell would read it: `~/` is the home of the person. */
export function resolvePath(path: string, directory: string): string {
  return resolve(directory, path.replace(/^~(?=\/|$)/, homedir));
}

/**
 * The files and folders that go on with a path; none where the folder cannot be read.
 *
 * @param typed What there is of the path.
 * @param directory The folder that it starts from.
 * @param wanted What the names of files end in; folders lead on to others.
 */
export async function completePath(
  typed: string,
  directory: string,
  wanted: RegExp = /(?:)/,
): Promise<readonly Choice[]> {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]*)$/.exec(typed) ?? [];
  const entries = await readdir(resolvePath(folder, directory), { withFileTypes: true }).catch(
    () => [], // Who types the name of what is not there is told when the command is run.
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
