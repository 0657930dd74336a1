import { toVisibleJson } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { writeReport } from "../reports/mod.ts";
import { toJunit } from "./junit.ts";
import type { VerifyOptions, VerifyReport } from "./options.ts";
import { countVerdicts, type VerifyResults } from "./results.ts";

type Render = (results: VerifyResults, strict: boolean) => string;

const RENDER: Readonly<Record<VerifyReport["format"], Render>> = {
  json: toJson,
  junit: ({ documents }, strict) => toJunit(documents, strict),
};

/**
 * Writes the reports.
 *
 * @throws {DocumentError} One of them could not be written.
 */
export async function writeReports(
  results: VerifyResults,
  { reports, strict }: Pick<VerifyOptions, "reports" | "strict">,
  platform: Pick<Platform, "stdout" | "writeFile">,
): Promise<void> {
  for (const report of reports) {
    await writeReport(report, RENDER[report.format](results, strict), platform);
  }
}

function toJson({ documents, uncovered }: VerifyResults): string {
  const counts = countVerdicts(documents);
  return `${toVisibleJson(JSON.stringify({ counts, documents, uncovered }, null, 2))}\n`;
}
