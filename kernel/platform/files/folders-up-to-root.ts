import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A folder and those above it up to the root of its repository, the one with `.git`; the folder alone where
 * it lies in no repository.
 *
 * @param folder An absolute path.
 * @returns Absolute paths, the folder itself first.
 */
export function foldersUpToRoot(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) folders.push(at);
    if (existsSync(join(at, ".git"))) return folders;
    if (dirname(at) === at) return [folder];
  }
}
