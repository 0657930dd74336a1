import { resolve } from "node:path";
import { DocumentError } from "./document.ts";

/** A file that an option names. */
interface NamedFile {
  readonly option: string;
  /** Absent if the option is not given, or means standard output. */
  readonly path: string | undefined;
}

/**
 * Checks that no file that a command writes is one that it reads or writes otherwise: a recording named like a
 * document would replace it.
 *
 * @throws {DocumentError} One is; the message says which, and what would be lost.
 */
export function checkWrittenFiles(
  written: readonly NamedFile[],
  read: readonly (string | undefined)[],
  directory: string,
): void {
  const at = (path: string): string => resolve(directory, path);
  const taken = new Map<string, string>();
  for (const path of read) {
    if (path !== undefined) taken.set(at(path), "a file that the command reads");
  }
  for (const { option, path } of written) {
    if (path === undefined) continue;
    const other = taken.get(at(path));
    if (other !== undefined) {
      throw new DocumentError(
        `Writing "${path}" failed: ${option} would replace ${other}; name another file`,
      );
    }
    taken.set(at(path), `the file of ${option}`);
  }
}
