import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it. Node's own `recursive` never comes back where a file system
 * that takes no folders calls a parent missing that is there, as `/proc` does.
 *
 * @param path Absolute, or from the working folder on.
 * @param mode The rights of each folder that is made.
 * @throws Error with the code of the system where that cannot be.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
