import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { toVisibleJson } from "../../lib/display/mod.ts";
import { DocumentError, reasonOf } from "../notebook/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { toJunit } from "./junit.ts";
import type { VerifyOptions } from "./options.ts";
import { countVerdicts, type VerifyResults } from "./results.ts";

type ReportOptions = Pick<VerifyOptions, "json" | "junit" | "strict">;

/**
 * Checks before anything is sent that the reports can be written.
 *
 * @throws {DocumentError} The folder of a report does not exist, or its name is that of a folder.
 */
export async function checkReports({ json, junit }: ReportOptions): Promise<void> {
  for (const path of [json, junit]) {
    if (path === undefined || path === "-") continue;
    const folder = await stat(dirname(resolve(path))).catch((error: unknown) => {
      throw failure(path, `its folder: ${reasonOf(error)}`);
    });
    if (!folder.isDirectory()) throw failure(path, "its folder is a file");
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFolder) throw failure(path, "it is a folder; name a file");
  }
}

/**
 * Writes the reports.
 *
 * @throws {DocumentError} One of them could not be written.
 */
export async function writeReports(
  results: VerifyResults,
  { json, junit, strict }: ReportOptions,
  platform: Pick<Platform, "stdout" | "writeFile">,
): Promise<void> {
  if (json !== undefined) await write(json, toJson(results), platform);
  if (junit !== undefined) await write(junit, toJunit(results.documents, strict), platform);
}

/** The results as JSON. */
function toJson({ documents, uncovered }: VerifyResults): string {
  const counts = countVerdicts(documents);
  return `${toVisibleJson(JSON.stringify({ counts, documents, uncovered }, null, 2))}\n`;
}

async function write(
  path: string,
  text: string,
  { stdout, writeFile }: Pick<Platform, "stdout" | "writeFile">,
): Promise<void> {
  if (path === "-") {
    stdout.write(text);
    return;
  }
  try {
    await writeFile(path, text);
  } catch (error) {
    throw failure(path, reasonOf(error));
  }
}

function failure(path: string, reason: string): DocumentError {
  return new DocumentError(`Writing "${path}" failed: ${reason}`);
}
