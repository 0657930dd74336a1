import type { AssertionResult, Exchange, SkippedRequest } from "../../lib/mod.ts";

/** A position in a document. */
export interface Place {
  readonly file: string;
  /** The number of the cell in a notebook, whose lines are counted from its start. */
  readonly cell?: number;
  readonly line: number;
}

/** Why a case failed. */
export interface Problem {
  /** An assertion that failed, a request without a response, or any other error. */
  readonly kind: "assertion" | "no-response" | "error";
  /** One line. */
  readonly message: string;
  /** The message with carets, or a trace. */
  readonly details: string;
  readonly place: Place;
}

/** A request and its response as text, without secrets. */
export interface ExchangeSummary {
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The status code of the response. */
  readonly status: number;
  /** Milliseconds, the body of the response included. */
  readonly duration: number;
  /** How many times it was sent until this response; present for more than one. */
  readonly tries?: number | undefined;
  /** What was not done as it is written. */
  readonly warnings: readonly string[];
  /** The request as request text; present if the case failed. */
  readonly request?: string;
  /** The response with its headers; present if the case failed. */
  readonly response?: string;
  /** The answer as it is shown in a notebook; present if a report needs it, and empty if it did not find room. */
  readonly html?: string;
}

/** How many characters of answers the results of a suite may still keep: of failed cases apart, so that they find room. */
export interface AnswerRoom {
  passed: number;
  failed: number;
}

/** Room for the answers of a suite: without a limit, thousands of requests would fill the memory. */
export function createAnswerRoom(): AnswerRoom {
  return { passed: 16_000_000, failed: 32_000_000 };
}

/** Why a case was not run, besides the reasons of a request: the run was ended before, or a tag of its cell. */
export type SkipReason = SkippedRequest["reason"] | "not-run" | "skip-execution" | "test.skip";

const SKIP_TEXTS: Readonly<Record<SkipReason, string>> = {
  disabled: "it is disabled",
  "empty-loop": "the list of its loop is empty",
  cancelled: "a script has cancelled it",
  "not-reached": "a request before it in its cell has failed",
  "not-run": "the run was ended before",
  "skip-execution": "its cell has the tag skip-execution",
  "test.skip": "test.skip leaves it out",
};

/** The result of a cell that sent a request, checked something or failed. Nothing in it but `live` contains a secret. */
export interface CaseResult {
  readonly name: string;
  readonly tags: readonly string[];
  readonly place: Place;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds, of the last attempt. */
  readonly duration: number;
  readonly assertions: readonly AssertionResult[];
  readonly exchanges: readonly ExchangeSummary[];
  /** Why it failed; empty if it passed. */
  readonly problems: readonly Problem[];
  /** The problems of earlier attempts, which were repeated. */
  readonly earlier: readonly (readonly Problem[])[];
  /** What it printed. */
  readonly printed: string;
  /** Why it was not run; absent if it was. */
  readonly skipped?: SkipReason;
  /** What it sent and what it did not catch, with their secrets: for a program, and never in a report. */
  readonly live?: { readonly exchanges: readonly Exchange[]; readonly errors: readonly unknown[] };
}

/** The result of one run of a document. */
export interface FileResult {
  readonly path: string;
  /** The number of its row of data, from 1. */
  readonly row?: number;
  readonly startedAt: number;
  readonly duration: number;
  readonly cases: readonly CaseResult[];
}

/** A suite that begins. */
export interface SuiteStart {
  readonly version: string;
  readonly startedAt: number;
}

/** What is known of a suite at its end, besides the results of its files. */
export interface SuiteResult extends SuiteStart {
  readonly duration: number;
  readonly counts: Counts;
  /** Whether no case was run although one should have been, which is no success. */
  readonly isEmpty: boolean;
}

/** What became of a case: an error is a problem that is not an assertion. */
type CaseStatus = "passed" | "failed" | "error" | "skipped";

/** The status of a case. */
export function statusOf({
  problems,
  skipped,
}: Pick<CaseResult, "problems" | "skipped">): CaseStatus {
  if (skipped !== undefined) return "skipped";
  if (problems.length === 0) return "passed";
  return problems.some(({ kind }) => kind !== "assertion") ? "error" : "failed";
}

/** The warnings of all exchanges of a case, each once. */
export function warningsOf({ exchanges }: Pick<CaseResult, "exchanges">): readonly string[] {
  return [...new Set(exchanges.flatMap(({ warnings }) => warnings))];
}

/** Whether a case passed after it had failed. */
export function isFlaky({ problems, earlier }: Pick<CaseResult, "problems" | "earlier">): boolean {
  return problems.length === 0 && earlier.length > 0;
}

/** How many cases there are, by what became of them. */
interface Counts {
  /** The runs of documents that they are of. */
  readonly files: number;
  /** Those that were run. */
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly flaky: number;
  /** Those that the end of the run has left out. */
  readonly notRun: number;
  /** Those that were not meant to be run. */
  readonly skipped: number;
  readonly assertions: number;
}

/** Why a case was not run, in words. */
export function describeSkip({ skipped }: Pick<CaseResult, "skipped">): string {
  return skipped === undefined ? "" : SKIP_TEXTS[skipped];
}

/** Whether a case is left out only because what came before it has ended the run. */
function isCutOff({ skipped }: Pick<CaseResult, "skipped">): boolean {
  return skipped === "not-run" || skipped === "not-reached";
}

/** Counts the cases of files. */
export function countCases(files: readonly FileResult[]): Counts {
  const cases = files.flatMap((file) => file.cases);
  const having = (status: CaseStatus): number =>
    cases.filter((one) => statusOf(one) === status).length;
  const notRun = cases.filter(isCutOff).length;
  return {
    files: files.length,
    cases: cases.length - having("skipped"),
    passed: having("passed"),
    failed: having("failed"),
    errors: having("error"),
    flaky: cases.filter(isFlaky).length,
    notRun,
    skipped: having("skipped") - notRun,
    assertions: cases.reduce((sum, { assertions }) => sum + assertions.length, 0),
  };
}

/** The counts of two parts of a suite together. */
export function addCounts(one: Counts, other: Counts): Counts {
  const names = Object.keys(one) as (keyof Counts)[];
  const sums = names.map((name) => [name, one[name] + other[name]]);
  return Object.fromEntries(sums) as Record<keyof Counts, number>;
}

/** The counts of cases as text, those of nothing left out: `1 failed, 3 passed`. */
export function describeCounts({ cases, passed, flaky, notRun, skipped }: Counts): string {
  const more = listCounts({ flaky, "not run": notRun, skipped });
  return [...listCounts({ failed: cases - passed }), `${passed} passed`, ...more].join(", ");
}

/** Counts with their names, without those of nothing. */
export function listCounts(counts: Readonly<Record<string, number>>): readonly string[] {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([name, count]) => `${count} ${name}`);
}

/** The messages of problems, one on a line. */
export function messagesOf(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message).join("\n");
}

/** The title of a run: its file, and the row of data. */
export function titleOf({ path, row }: Pick<FileResult, "path" | "row">): string {
  return row === undefined ? path : `${path} [row ${row}]`;
}

/** A position as editors and terminals link it. */
export function describePlace({ file, cell, line }: Place): string {
  return cell === undefined ? `${file}:${line}` : `${file}:cell ${cell}:${line}`;
}

/** The problems of a case as text, one below the other. */
export function describeProblems({ problems }: Pick<CaseResult, "problems">): string {
  return problems.map(({ details, place }) => `${describePlace(place)}\n${details}`).join("\n\n");
}

/** How often `# @retry` has sent the requests of a case, those that were sent more than once. */
export function describeTries({ exchanges }: Pick<CaseResult, "exchanges">): readonly string[] {
  return exchanges.flatMap(({ method, url, tries }) =>
    tries === undefined ? [] : [`${method} ${url} was sent ${tries} times`],
  );
}

/** The exchanges of a case that failed as text. */
export function describeExchanges({ exchanges }: Pick<CaseResult, "exchanges">): string {
  const texts = exchanges.flatMap(({ request, response }) => [request, response]);
  const tries = describeTries({ exchanges }).join("\n");
  return [...texts, tries].filter((text) => text !== undefined && text !== "").join("\n\n");
}

/**
 * Shortens a text: a report with all failures of a suite must stay readable.
 *
 * @param text Masked already: a part of a secret is not recognized.
 */
export function shorten(text: string, max: number): string {
  const more = text.length - max;
  return more > 0 ? `${text.slice(0, max)}… (${more} more characters)` : text;
}
