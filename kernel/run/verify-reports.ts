import { type Block, type Cell, toVisibleJson } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { writeReport } from "./report-file.ts";
import { type JunitCase, type JunitElement, writeJunit } from "./report-junit.ts";
import type { VerifyOptions, VerifyReport } from "./verify-plan.ts";
import {
  countVerdicts,
  describeDifference,
  isFailure,
  placeOf,
  type VerifiedDocument,
  type VerifiedResponse,
  type VerifyResults,
} from "./verify-results.ts";

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

/**
 * The results as JUnit XML: a suite for each document, a case for each response.
 *
 * @param strict Whether compatible differences are failures.
 */
function toJunit(documents: readonly VerifiedDocument[], strict: boolean): string {
  const suites = documents.map(({ path, responses }) => ({
    name: path,
    file: path,
    cases: responses.map((response) => toCase(response, path, strict)),
  }));
  return writeJunit({ name: "restlab verify", suites });
}

function toCase(response: VerifiedResponse, file: string, strict: boolean): JunitCase {
  const { name, method, url, line } = response;
  const title = `${placeOf(response)}: ${name === undefined ? "" : `${name}: `}${method} ${url}`;
  return { name: title, file, line, elements: elementsOf(response, strict) };
}

function elementsOf(
  { verdict, differences }: VerifiedResponse,
  strict: boolean,
): readonly JunitElement[] {
  if (verdict === "skipped") return [{ tag: "skipped" }];
  const [first, ...others] = differences.map(describeDifference);
  if (first === undefined) return [];
  const text = [first, ...others].join("\n");
  if (!isFailure(verdict, strict)) return [{ tag: "system-out", text }];
  const tag = verdict === "broken" ? "error" : "failure";
  return [{ tag, type: verdict, message: `${verdict}: ${first}`, text }];
}

const COLUMNS = ["verdict", "at", "request", "path", "change", "promised", "found"];

/** A table with a row for each response, and one for each further difference. */
export function viewResults({ responses }: VerifiedDocument): readonly Block[] {
  if (responses.length === 0) return [];
  const rows = responses.flatMap(rowsOf);
  const columns = COLUMNS.map((_name, at) => at).filter((at) => rows.some((row) => row[at]));
  return [
    {
      kind: "table",
      columns: columns.map((at) => COLUMNS[at] ?? ""),
      rows: rows.map((row) => columns.map((at): Cell => ({ text: row[at] ?? "", type: "text" }))),
      total: rows.length,
      isUncounted: true,
      totalColumns: columns.length,
    },
  ];
}

function rowsOf(response: VerifiedResponse): readonly (readonly string[])[] {
  const { verdict, method, url, differences } = response;
  const [first = [], ...others] = differences.map(({ path, kind, promised, found }) => [
    path,
    kind,
    promised,
    found,
  ]);
  const head = [verdict, placeOf(response), `${method} ${url}`, ...first];
  return [head, ...others.map((row) => ["", "", "", ...row])];
}
