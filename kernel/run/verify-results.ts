import { type Block, type Cell, toVisibleJson } from "../../lib/display/mod.ts";
import type { ResponseDifference, Verdict } from "../../lib/verify/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { type JunitCase, type JunitElement, toElement, writeJunit } from "./report-junit.ts";
import { openReport } from "./reports.ts";
import { describeProblems, type Problem } from "./results.ts";
import type { RunOptions } from "./run.ts";
import type { DocumentRun } from "./run-document.ts";

/** The result of one response. */
export interface VerifiedResponse {
  /** The number of the code cell, from 1. */
  readonly cell: number;
  /** The line on which the cell begins in a file of requests. */
  readonly line?: number;
  /** The name of the request. */
  readonly name?: string;
  readonly method: string;
  /** The URL, masked. */
  readonly url: string;
  readonly verdict: Verdict;
  readonly differences: readonly ResponseDifference[];
}

/** A cell with assertions that failed, or with an error; its responses have verdicts beside it. */
export interface FailedCell {
  /** The number of the code cell in a notebook, from 1. */
  readonly cell?: number | undefined;
  /** The line on which the cell begins in a file of requests. */
  readonly line?: number | undefined;
  readonly name: string;
  readonly problems: readonly Problem[];
}

/** The results of a document, in the order of its requests. */
export interface VerifiedDocument {
  readonly path: string;
  readonly responses: readonly VerifiedResponse[];
  readonly failed: readonly FailedCell[];
}

/** All results. */
export interface VerifyResults {
  readonly documents: readonly VerifiedDocument[];
  /** What of the OpenAPI description no request has covered, if there is one. */
  readonly uncovered?: readonly string[];
}

/** The verdicts, from the least to the worst. */
const VERDICTS = ["same", "compatible", "drifted", "broken", "skipped"] as const;

/** Counts the responses by verdict. */
function countVerdicts(documents: readonly VerifiedDocument[]): Readonly<Record<Verdict, number>> {
  const responses = documents.flatMap((document) => document.responses);
  const count = (verdict: Verdict): number =>
    responses.filter((one) => one.verdict === verdict).length;
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<
    Verdict,
    number
  >;
}

/** The counts of a document, for a person, with everything that makes the exit status 1. */
export function summaryOf(
  document: VerifiedDocument,
  { failed, givenUp }: Pick<DocumentRun, "failed" | "givenUp">,
  { strict = false }: RunOptions,
): string {
  const counts = countVerdicts([document]);
  const total = document.responses.length;
  const refused = (verdict: Verdict): string =>
    strict && verdict === "compatible" ? ", refused by --strict" : "";
  const facts = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${verdict}${refused(verdict)}`,
  );
  if (failed.size > 0)
    facts.push(failed.size === 1 ? "1 cell failed" : `${failed.size} cells failed`);
  if (givenUp > 0) facts.push(`${givenUp} ${givenUp === 1 ? "request" : "requests"} given up`);
  const what = total === 1 ? "1 response" : `${total} responses`;
  return `${document.path}: ${what}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`;
}

/** Whether a verdict is a failure. */
export function isFailure(verdict: Verdict, strict: boolean): boolean {
  return verdict === "drifted" || verdict === "broken" || (strict && verdict === "compatible");
}

/** The place of a response or a cell in its document, for a person. */
function placeOf({ cell, line }: Pick<FailedCell, "cell" | "line">): string {
  return line === undefined ? `cell ${cell}` : `line ${line}`;
}

/** One difference as a line. */
function describeDifference({ path, kind, promised, found }: ResponseDifference): string {
  const change = [promised, found].filter((text) => text !== "").join(" → ");
  return `${path}: ${kind}${change === "" ? "" : `: ${change}`}`;
}

/**
 * Writes the reports.
 *
 * @throws {DocumentError} One of them could not be written.
 */
export async function writeReports(
  results: VerifyResults,
  { reports = [], strict = false }: RunOptions,
  platform: Platform,
): Promise<void> {
  for (const report of reports) {
    const text = report.format === "junit" ? toJunit(results.documents, strict) : toJson(results);
    const { write, end } = openReport(report, platform);
    await write(text).then(end);
  }
}

function toJson({ documents, uncovered }: VerifyResults): string {
  const failed = documents.reduce((sum, document) => sum + document.failed.length, 0);
  const counts = { ...countVerdicts(documents), failed };
  return `${toVisibleJson(JSON.stringify({ counts, documents, uncovered }, null, 2))}\n`;
}

/**
 * The results as JUnit XML: a suite for each document, a case for each response and for each cell that failed.
 *
 * @param strict Whether compatible differences are failures.
 */
function toJunit(documents: readonly VerifiedDocument[], strict: boolean): string {
  const suites = documents.map(({ path, responses, failed }) => ({
    name: path,
    file: path,
    cases: [
      ...responses.map((response) => toCase(response, path, strict)),
      ...failed.map((one) => toFailedCase(one, path)),
    ],
  }));
  return writeJunit("restlab verify", suites);
}

function toCase(response: VerifiedResponse, file: string, strict: boolean): JunitCase {
  const { name, method, url, line } = response;
  const title = `${placeOf(response)}: ${name === undefined ? "" : `${name}: `}${method} ${url}`;
  return { name: title, file, line, elements: elementsOf(response, strict) };
}

function toFailedCase(failed: FailedCell, file: string): JunitCase {
  const { line, name, problems } = failed;
  const elements = [toElement(problems, describeProblems({ problems }))];
  return { name: `${placeOf(failed)}: run of ${name}`, file, line, elements };
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
