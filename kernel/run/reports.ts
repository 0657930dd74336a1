import { resolve } from "node:path";
import { toVisibleText } from "../../lib/display/mod.ts";
import type { FileWriter } from "../../lib/mod.ts";
import {
  expectWritable,
  openFileForWriting,
  type Platform,
  writingReason,
} from "../platform/mod.ts";
import { attempt, DocumentError } from "./errors.ts";
import type { FileResult, SuiteResult, SuiteStart } from "./results.ts";
import type { RunOptions } from "./run.ts";

/** A report to write; `verify` has only `junit` and `json`. */
export interface ReportOption {
  readonly format: "junit" | "json" | "html" | "tap" | "github";
  /** The file; absent for standard output. */
  readonly path?: string;
}

/** A form of report: what it begins with, what it has of each file, and its end, each in whole lines. */
export interface ReportForm {
  begin?(suite: SuiteStart): string;
  file(file: FileResult): string | undefined;
  end?(suite: SuiteResult): string;
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
    const check = (): Promise<void> => expectWritable(resolve(directory, path));
    await attempt(`Writing the report "${path}"`, writingReason, check);
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

/** A report that is written part by part. */
export interface ReportWriter {
  /** Writes the next part. What fails is kept for the end, as the run goes on. */
  write(text?: string): Promise<void>;
  /** @throws {DocumentError} The file cannot be written. */
  end(): Promise<void>;
}

/** Opens standard output, or a file that replaces the one of its name when it is complete. */
export function openReport({ path }: ReportOption, { stdout, directory }: Platform): ReportWriter {
  let file: FileWriter | undefined;
  let written = Promise.resolve();
  const append = async (text: string): Promise<void> => {
    if (path === undefined) return stdout.write(toLogText(text));
    file ??= await openFileForWriting(resolve(directory, path), { replace: true });
    await file.write(new TextEncoder().encode(text));
  };
  return {
    write: (text = "") => {
      written = written.then(() => append(text));
      return written.catch(() => undefined);
    },
    end: async () => {
      const commit = (): Promise<void> => written.then(() => file?.commit());
      const ended = attempt(`Writing the report "${path}"`, writingReason, commit);
      await ended.finally(() => file?.discard());
    },
  };
}
