import { toVisibleLine } from "../../lib/display/mod.ts";
import { DocumentError, EXIT, runCommand } from "../notebook/mod.ts";
import type { Platform } from "../platform/mod.ts";
import type { VerifyOptions } from "./options.ts";
import { writeReports } from "./reports.ts";
import { isFailure, type VerifiedResponse } from "./results.ts";
import { createVerification } from "./verification.ts";

/**
 * `restlab verify`: runs documents, and compares each response with what was promised by the saved outputs, by a
 * recording, or by an OpenAPI description.
 *
 * @returns The exit status: 0 all as promised, 1 drifted or broken or a cell failed, 2 usage error or a file that
 *   cannot be read or written, or that of `restlab run`.
 */
export async function verifyCommand(options: VerifyOptions, platform: Platform): Promise<number> {
  const { observer, results } = createVerification(options, platform);
  const status = await runCommand({ ...options.run, keepGoing: true, observer }, platform);
  const { documents, uncovered } = results();
  // Nothing was run. After an interrupt the reports contain what was.
  if (documents.length === 0 && status !== EXIT.ok) return status;
  for (const operation of uncovered ?? []) {
    platform.stderr.write(`${toVisibleLine(`Not covered: ${operation}`)}\n`);
  }
  try {
    await writeReports(results(), options, platform);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    platform.stderr.write(`restlab: ${toVisibleLine(error.message)}\n`);
    return EXIT.usage;
  }
  if (status !== EXIT.ok) return status;
  const responses = documents.flatMap((document) => document.responses);
  return responses.some((response) => hasFailed(response, options)) ? EXIT.cellFailed : EXIT.ok;
}

/** What was written into the notebook is accepted; what the description does not allow is not. */
function hasFailed(
  { verdict, differences }: VerifiedResponse,
  { update, strict }: VerifyOptions,
): boolean {
  if (!update) return isFailure(verdict, strict);
  return verdict === "broken" || differences.some(({ kind }) => kind === "openapi");
}
