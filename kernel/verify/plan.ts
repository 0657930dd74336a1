import { resolve } from "node:path";
import type { OpenApiChecker } from "../../lib/openapi/mod.ts";
import type { PlacedSummary } from "../../lib/verify/mod.ts";
import {
  checkCellRules,
  type Document,
  DocumentError,
  findDocuments,
  isRunnable,
  readAll,
} from "../notebook/mod.ts";
import { expectWritable, type Platform, writingReason } from "../platform/mod.ts";
import { checkReports } from "../reports/mod.ts";
import { openDescription } from "./openapi.ts";
import type { VerifyOptions } from "./options.ts";
import { promisedIn, readBaseline } from "./promised.ts";

/** What is verified, and with what it is compared. */
export interface VerificationPlan {
  readonly documents: readonly Document[];
  /** What a recording promises, in place of the saved outputs. */
  readonly recorded: readonly PlacedSummary[] | undefined;
  /** Compares with the OpenAPI description. */
  readonly checker: OpenApiChecker | undefined;
}

/**
 * Reads and checks everything that a verification needs, before a document sends anything.
 *
 * @throws {DocumentError} A file cannot be read, a report cannot be written, or a document has nothing to compare with.
 */
export async function planVerification(
  options: VerifyOptions,
  platform: Platform,
): Promise<VerificationPlan> {
  const { files, baseline, openapi, reports, update } = options;
  const paths = await findDocuments(files);
  const documents = await readAll(paths, platform);
  await checkReports(reports, options, [...paths, baseline, openapi], platform);
  if (update) await checkUpdates(documents, platform);
  const recorded = baseline === undefined ? undefined : await readBaseline(baseline, platform);
  for (const document of documents) {
    checkCellRules(document);
    if (recorded === undefined) checkPromises(document, options);
  }
  const checker = openapi === undefined ? undefined : await openDescription(openapi, platform);
  return { documents, recorded, checker };
}

/** Checks that the notebooks can be replaced. */
async function checkUpdates(
  documents: readonly Document[],
  { directory }: Pick<Platform, "directory">,
): Promise<void> {
  for (const { path } of documents) {
    try {
      await expectWritable(resolve(directory, path));
    } catch (error) {
      throw new DocumentError(`Updating "${path}" failed: ${writingReason(error)}`, {
        cause: error,
      });
    }
  }
}

/** A document without promises would be verified whatever it does. */
function checkPromises(document: Document, { update, openapi }: VerifyOptions): void {
  const { path } = document;
  const isNotebook = /\.ipynb$/i.test(path);
  if (update && !isNotebook) {
    throw new DocumentError(
      `Updating "${path}" failed: it is a file of requests, which has no outputs; write "restlab run --record FILE.har" and verify with --baseline FILE.har`,
    );
  }
  if (
    update ||
    openapi !== undefined ||
    !document.cells.some(isRunnable) ||
    promisedIn(document).length > 0
  )
    return;
  const advice = isNotebook
    ? `save it with outputs ("restlab verify --update ${path}"), or give --baseline FILE.har or --openapi FILE`
    : "give --baseline FILE.har or --openapi FILE";
  throw new DocumentError(`Verifying "${path}" failed: it has no saved responses; ${advice}`);
}
