import { resolve } from "node:path";
import { toVisibleText } from "../../lib/display/mod.ts";
import { expectWritable, type Platform, writingReason } from "../platform/mod.ts";
import type { DocumentOptions } from "./context.ts";
import { DocumentError } from "./document.ts";
import { checkWrittenFiles } from "./output-path.ts";

/** Where to write a report. */
export interface ReportTarget {
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
  reports: readonly (ReportTarget & { readonly format: string })[],
  { record, replay }: Pick<DocumentOptions, "record" | "replay">,
  read: readonly (string | undefined)[],
  { directory }: Pick<Platform, "directory">,
): Promise<void> {
  const written = reports.map(({ format, path }) => ({ option: `--report ${format}`, path }));
  checkWrittenFiles([{ option: "--record", path: record }, ...written], read, directory);
  checkWrittenFiles(written, [replay], directory);
  for (const { path } of reports) {
    if (path === undefined) continue;
    await writing(path, () => expectWritable(resolve(directory, path)));
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
  { path }: ReportTarget,
  text: string,
  { stdout, writeFile }: Pick<Platform, "stdout" | "writeFile">,
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
