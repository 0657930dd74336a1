import { resolve } from "node:path";
import { comparableUrl } from "../../lib/har/mod.ts";
import { HarError, type RecordedEntry, readHar } from "../../lib/mod.ts";
import { type OpenApiChecker, type PlacedSummary, readSummary } from "../../lib/verify/mod.ts";
import { expectWritable, type Platform, readingReason, writingReason } from "../platform/mod.ts";
import { checkCellRules, type Document, isRunnable } from "./document.ts";
import { attempt, DocumentError } from "./errors.ts";
import { findDocuments } from "./find-documents.ts";
import { readDocuments } from "./read-document.ts";
import { checkReports } from "./reports.ts";
import type { RunOptions } from "./run.ts";
import { openDescription } from "./verify-openapi.ts";

/** What is verified, and with what it is compared. */
export interface VerificationPlan {
  readonly documents: readonly Document[];
  /** What a recording promises, in place of the saved outputs. */
  readonly recorded: readonly RecordedEntry[] | undefined;
  /** Compares with the OpenAPI description. */
  readonly checker: OpenApiChecker | undefined;
}

/**
 * Reads and checks everything that a verification needs, before a document sends anything.
 *
 * @throws {DocumentError} A file cannot be read, a report cannot be written, or a document has nothing to compare with.
 */
export async function planVerification(
  options: RunOptions,
  platform: Platform,
): Promise<VerificationPlan> {
  const { files, baseline, openapi, update = false } = options;
  const paths = await findDocuments(files);
  const documents = await readDocuments(paths, platform);
  await checkReports(options, [...paths, baseline, openapi], platform);
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
  { directory }: Platform,
): Promise<void> {
  for (const { path } of documents) {
    const check = (): Promise<void> => expectWritable(resolve(directory, path));
    await attempt(`Updating "${path}"`, writingReason, check);
  }
}

/** A document without promises would be verified whatever it does. */
function checkPromises(document: Document, { update = false, openapi }: RunOptions): void {
  const { path } = document;
  const isNotebook = /\.ipynb$/i.test(path);
  if (update && !isNotebook) {
    throw new DocumentError(
      `Updating "${path}" failed: it is a file of requests, which has no outputs; write "restlab run --record FILE.har" and verify with --baseline FILE.har`,
    );
  }
  const isPromised = update || openapi !== undefined || promisedIn(document).length > 0;
  if (isPromised || !document.cells.some(isRunnable)) return;
  const advice = isNotebook
    ? `save it with outputs ("restlab verify --update ${path}"), or give --baseline FILE.har or --openapi FILE`
    : "give --baseline FILE.har or --openapi FILE";
  throw new DocumentError(`Verifying "${path}" failed: it has no saved responses; ${advice}`);
}

/** What the saved outputs of a document promise, in order. */
export function promisedIn({ cells }: Document): readonly PlacedSummary[] {
  return cells.flatMap(({ id, savedOutputs = [] }) => {
    const summaries = savedOutputs.map(metadataOf).flatMap((one) => readSummary(one) ?? []);
    return summaries.map((summary, index) => ({ cell: id, index, summary }));
  });
}

function metadataOf(output: unknown): unknown {
  const isObject = typeof output === "object" && output !== null;
  return isObject && "metadata" in output ? output.metadata : undefined;
}

/**
 * Reads the responses of a HAR file.
 *
 * @throws {DocumentError} It cannot be read, or it contains no response.
 */
async function readBaseline(path: string, platform: Platform): Promise<readonly RecordedEntry[]> {
  const what = `Reading the baseline "${path}"`;
  const bytes = await attempt(what, readingReason, () => platform.readFile(path));
  try {
    const entries = lastHops(readHar(bytes, path).entries);
    if (entries.length === 0) throw new DocumentError(`${what} failed: it contains no response`);
    return entries;
  } catch (error) {
    if (error instanceof HarError) throw new DocumentError(error.message, { cause: error });
    throw error;
  }
}

/** The entries with a response, without those that a redirect, a challenge or a retry has replaced. */
function lastHops(entries: readonly RecordedEntry[]): readonly RecordedEntry[] {
  const answered = entries.filter(({ response }) => response.status > 0);
  return answered.filter((entry, index) => !isReplaced(entry, answered[index + 1]));
}

const REPEATED: ReadonlySet<number> = new Set([401, 407, 408, 429, 500, 502, 503, 504]);

function isReplaced(
  { method, url, response }: RecordedEntry,
  next: RecordedEntry | undefined,
): boolean {
  if (next === undefined) return false;
  const isSame = comparableUrl(next.url) === comparableUrl(url);
  if (REPEATED.has(response.status)) return isSame && next.method === method;
  const location = response.headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  if (location === undefined || response.status < 300 || response.status > 399) return false;
  if (!URL.canParse(location, url)) return false;
  return comparableUrl(new URL(location, url).href) === comparableUrl(next.url);
}
