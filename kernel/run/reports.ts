import { resolve } from "node:path";
import { toVisibleText } from "../../lib/display/mod.ts";
import { expectWritable, type Platform, writingReason } from "../platform/mod.ts";
import { DocumentError } from "./errors.ts";
import type { RunOptions } from "./run.ts";

/** A report to write; `verify` has only `junit` and `json`. */
export interface ReportOption {
  readonly format: "junit" | "json" | "html" | "tap" | "github";
  /** The file; absent for standard output. */
  readonly path?: string;
}

/**
 * Checks that the files can be written, before anything is sent, and that neither they nor a recording replace
 * another one.
 *
 * @param read The other files of the command.
 * @throws {DocumentError} One cannot.
 */
export async function checkReports(
  { reports = [], record, replay }: RunOptions,
  read: readonly (string | undefined)[],
  { directory }: Platform,
): Promise<void> {
  const written = reports.map(({ format, path }) => ({ option: `--report ${format}`, path }));
  checkWrittenFiles([{ option: "--record", path: record }, ...written], read, directory);
  checkWrittenFiles(written, [replay], directory);
  for (const { path } of reports) {
    if (path === undefined) continue;
    await writing(path, () => expectWritable(resolve(directory, path)));
  }
}

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

/** GitHub and Azure run commands that begin so anywhere in a line of a log. */
const COMMAND = /##(?=(?:vso)?\[)/gi;

/** A text for standard output, which may be the log of a CI system: no command of such a system stays one. */
export function toLogText(text: string): string {
  return toVisibleText(text).replace(COMMAND, "#‹U+0023›");
}

/**
 * Writes a report.
 *
 * @throws {DocumentError} The file cannot be written.
 */
export async function writeReport(
  { path }: ReportOption,
  text: string,
  { stdout, writeFile }: Platform,
): Promise<void> {
  if (path === undefined) stdout.write(toLogText(text));
  else await writing(path, () => writeFile(path, text));
}

async function writing(path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new DocumentError(`Writing the report "${path}" failed: ${writingReason(error)}`, {
      cause: error,
    });
  }
}
