import { toVisibleJson } from "../../lib/display/mod.ts";
import type { AssertionResult } from "../../lib/mod.ts";
import type { ReportForm } from "./reports.ts";
import {
  type CaseResult,
  describeProblems,
  describeSkip,
  type ExchangeSummary,
  type FileResult,
  isFlaky,
  messagesOf,
  type SuiteResult,
  type SuiteStart,
  statusOf,
  titleOf,
} from "./results.ts";

/** What `restlab test --report json` writes, in the Common Test Report Format (https://ctrf.io), without secrets. */
export interface TestReport {
  /** The format. */
  readonly reportFormat: "CTRF";
  /** The version of the format. */
  readonly specVersion: string;
  /** The program that has written the report. */
  readonly generatedBy: "restlab";
  /** When the run began, as ISO 8601. */
  readonly timestamp: string;
  /** The results. */
  readonly results: {
    /** The program that has run the tests. */
    readonly tool: { readonly name: "restlab"; readonly version: string };
    /** How many there are, by what became of them. */
    readonly summary: TestSummary;
    /** The tests, in the order of the document. */
    readonly tests: readonly TestResult[];
  };
}

/** How many tests there are, by what became of them. */
export interface TestSummary {
  /** All of them. */
  readonly tests: number;
  /** Those that passed. */
  readonly passed: number;
  /** Those of which a check failed, or that could not be run to their end. */
  readonly failed: number;
  /** Those that were not run. */
  readonly skipped: number;
  /** Always 0. */
  readonly pending: number;
  /** Always 0. */
  readonly other: number;
  /** Those that passed after they had failed. */
  readonly flaky: number;
  /** How many documents were run; each row of data runs one. */
  readonly suites: number;
  /** When the run began, in milliseconds since 1970. */
  readonly start: number;
  /** When it ended. */
  readonly stop: number;
  /** What the format has no member for: how many tests the end of the run has left out. */
  readonly extra: { readonly notRun: number };
}

/** The result of a cell that sent a request, checked something or failed; secrets are masked. */
export interface TestResult {
  /** From `# @name`, else from `### title`, else the first line. */
  readonly name: string;
  /** What became of it. */
  readonly status: "passed" | "failed" | "skipped";
  /** The same, where `error` is a failure that is not one of a check. */
  readonly rawStatus: "passed" | "failed" | "error" | "skipped";
  /** Milliseconds, of the last attempt. */
  readonly duration: number;
  /** When it began, in milliseconds since 1970. */
  readonly start: number;
  /** When it ended. */
  readonly stop: number;
  /** The document, with the row of data. */
  readonly suite: readonly string[];
  /** The path of the document. */
  readonly filePath: string;
  /** The line of its cell. */
  readonly line: number;
  /** From `# @tag`, and the metadata of a cell. */
  readonly tags: readonly string[];
  /** Why it failed or was not run, each reason on a line. */
  readonly message?: string;
  /** The same with places, and carets or stacks. */
  readonly trace?: string;
  /** How many attempts failed before the last one. */
  readonly retries?: number;
  /** Whether it passed then. */
  readonly flaky?: boolean;
  /** The attempts that failed before. */
  readonly retryAttempts?: readonly {
    readonly attempt: number;
    readonly status: "failed";
    readonly message: string;
    readonly trace: string;
  }[];
  /** The lines that it printed. */
  readonly stdout?: readonly string[];
  /** What the format has no member for. */
  readonly extra: {
    /** The number of the row of data, from 1. */
    readonly row: number | undefined;
    /** The number of the cell in a notebook. */
    readonly cell: number | undefined;
    /** The results of its assertions and tests. */
    readonly assertions: readonly AssertionResult[];
    /** Its requests and their responses, at most the last 100. */
    readonly exchanges: readonly Omit<ExchangeSummary, "html">[];
  };
}

/** The end of the results and of the report. */
const END = "}}";

/** The report as JSON, with a line for each test, and the summary behind them. */
export function createJson(): ReportForm {
  let count = 0;
  const toLine = (test: TestResult): string => `${count++ === 0 ? "" : ","}${toText(test)}\n`;
  return {
    begin: (start) => `${toText(toHead(start)).slice(0, -END.length)},"tests":[\n`,
    file: (file) => toTests(file).map(toLine).join(""),
    end: (suite) => `],"summary":${toText(toSummary(suite))}${END}\n`,
  };
}

const toText = (value: object): string => toVisibleJson(JSON.stringify(value));

/** The results as data, in the Common Test Report Format. */
export function toReport(suite: SuiteResult, files: readonly FileResult[]): TestReport {
  const { results, ...head } = toHead(suite);
  const [tests, summary] = [files.flatMap(toTests), toSummary(suite)];
  return { ...head, results: { ...results, tests, summary } };
}

function toHead({ version, startedAt }: SuiteStart) {
  return {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    generatedBy: "restlab",
    timestamp: new Date(startedAt).toISOString(),
    results: { tool: { name: "restlab", version } },
  } as const;
}

function toSummary({ counts, startedAt, duration }: SuiteResult): TestSummary {
  const { cases, passed, failed, errors, flaky, notRun, skipped, files } = counts;
  return {
    tests: cases + notRun + skipped,
    passed,
    failed: failed + errors,
    skipped: notRun + skipped,
    pending: 0,
    other: 0,
    flaky,
    suites: files,
    start: startedAt,
    stop: startedAt + Math.round(duration),
    extra: { notRun },
  };
}

const toTests = (file: FileResult): readonly TestResult[] =>
  file.cases.map((one) => toTest(one, file));

function toTest(one: CaseResult, file: FileResult): TestResult {
  const { name, tags, place, startedAt, duration, problems, earlier, printed } = one;
  const milliseconds = Math.round(duration);
  const status = statusOf(one);
  return {
    name,
    status: status === "error" ? "failed" : status,
    rawStatus: status,
    duration: milliseconds,
    start: startedAt,
    stop: startedAt + milliseconds,
    suite: [titleOf(file)],
    filePath: place.file,
    line: place.line,
    tags,
    ...(status === "skipped" && { message: describeSkip(one) }),
    ...(problems.length > 0 && { message: messagesOf(problems), trace: describeProblems(one) }),
    ...(earlier.length > 0 && {
      retries: earlier.length,
      flaky: isFlaky(one),
      retryAttempts: earlier.map((attempt, index) => ({
        attempt: index + 1,
        status: "failed" as const,
        message: messagesOf(attempt),
        trace: describeProblems({ problems: attempt }),
      })),
    }),
    ...(printed !== "" && { stdout: printed.split("\n") }),
    extra: {
      row: file.row,
      cell: place.cell,
      assertions: one.assertions,
      exchanges: one.exchanges.map(({ html: _html, ...exchange }) => exchange),
    },
  };
}
