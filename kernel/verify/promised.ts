import { comparableUrl } from "../../lib/har/mod.ts";
import { HarError, type RecordedEntry, readHar } from "../../lib/mod.ts";
import { type PlacedSummary, readSummary, summarizeRecorded } from "../../lib/verify/mod.ts";
import { type Document, DocumentError } from "../notebook/mod.ts";
import { type Platform, readingReason } from "../platform/mod.ts";

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
 * Reads what the responses in a HAR file promise.
 *
 * @throws {DocumentError} It cannot be read, or it contains no response.
 */
export async function readBaseline(
  path: string,
  platform: Pick<Platform, "readFile">,
): Promise<readonly PlacedSummary[]> {
  const fail = (reason: string): DocumentError =>
    new DocumentError(`Reading the baseline "${path}" failed: ${reason}`);
  let bytes: Uint8Array;
  try {
    bytes = await platform.readFile(path);
  } catch (error) {
    throw fail(readingReason(error));
  }
  try {
    const entries = lastHops(readHar(bytes, path).entries);
    if (entries.length === 0) throw fail("it contains no response");
    // The rule of a request is known when it is sent: all that may be compared is kept.
    const rule = { mode: "exact", ignore: [] } as const;
    return entries.map((entry, index) => ({ index, summary: summarizeRecorded(entry, rule) }));
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
