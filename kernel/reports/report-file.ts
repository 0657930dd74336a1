import { resolve } from "node:path";
import { toVisibleText } from "../../lib/display/mod.ts";
import { DocumentError } from "../notebook/mod.ts";
import { openFileForWriting, type Platform } from "../platform/mod.ts";

/** Where to write a report. */
export interface ReportTarget {
  /** The file; absent for standard output. */
  readonly path?: string;
}

/**
 * Checks that the files can be written, before anything is sent.
 *
 * @throws {DocumentError} One cannot.
 */
export async function checkReports(
  reports: readonly ReportTarget[],
  { directory }: Pick<Platform, "directory">,
): Promise<void> {
  for (const { path } of reports) {
    if (path === undefined) continue;
    await expectWritable(path, async () => {
      const file = await openFileForWriting(resolve(directory, path), { replace: true });
      await file.discard();
    });
  }
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
  if (path === undefined) stdout.write(toVisibleText(text));
  else await expectWritable(path, () => writeFile(path, text));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder; name a file",
  EACCES: "permission is denied",
  EROFS: "the file system is read-only",
};

async function expectWritable(path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new DocumentError(`Writing the report "${path}" failed: ${REASONS[code] ?? message}`, {
      cause: error,
    });
  }
}
