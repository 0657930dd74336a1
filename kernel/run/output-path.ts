import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeFolder, readingReason } from "../platform/mod.ts";
import { type Document, DocumentError } from "./document.ts";

/** The file for the outputs of a document; with several documents `output` is their folder. */
export function outputPath(output: string, { path }: Document, count: number): string {
  if (count === 1) return output;
  return join(output, path.replace(/^.*[\\/]/, "").replace(/\.\w+$/, ".ipynb"));
}

/**
 * Checks before anything is sent that the outputs can be written, and creates the folder for several.
 *
 * @param output The value of `--output`; `-` is standard output.
 * @throws {DocumentError} They cannot be written, or would replace each other or a file of requests.
 */
export async function checkOutput(output: string, documents: readonly Document[]): Promise<void> {
  const fail = (path: string, reason: string): never => {
    throw new DocumentError(`Writing "${path}" failed: ${reason}`);
  };
  const several = documents.length > 1;
  if (output === "-") return several ? fail(output, "several notebooks need a folder") : undefined;
  const paths = documents.map((document) => outputPath(output, document, documents.length));
  for (const [index, path] of paths.entries()) {
    if (paths.indexOf(path) !== index) fail(path, "two of the files have this name");
    const requests = documents.find((it) => resolve(it.path) === resolve(path));
    if (requests !== undefined && !path.endsWith(".ipynb")) {
      fail(path, "it is a file of requests, which a notebook would replace");
    }
  }
  try {
    if (several) makeFolder(output);
    else if (!(await stat(dirname(resolve(output)))).isDirectory())
      throw new Error("it is not a folder");
  } catch (error) {
    fail(output, `its folder: ${readingReason(error)}`);
  }
  if (several) return;
  if (await isFolder(output)) fail(output, "it is a folder; name a file");
  if (!/\.ipynb$/i.test(output)) {
    fail(output, "the outputs are a notebook; write a name that ends in .ipynb");
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // It does not exist yet.
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
