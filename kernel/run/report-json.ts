import { toVisibleJson } from "../../lib/display/mod.ts";
import {
  type CaseResult,
  countCases,
  describeProblems,
  type FileResult,
  isFlaky,
  messagesOf,
  type SuiteResult,
  statusOf,
  titleOf,
} from "./results.ts";

/** Renders results as JSON in the Common Test Report Format (https://ctrf.io). */
export function renderJson(suite: SuiteResult): string {
  const { files, version, startedAt, duration } = suite;
  const { cases, passed, failed, errors, flaky, notRun } = countCases(files);
  const report = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    generatedBy: "restlab",
    timestamp: new Date(startedAt).toISOString(),
    results: {
      tool: { name: "restlab", version },
      summary: {
        tests: cases,
        passed,
        failed: failed + errors,
        skipped: 0,
        pending: 0,
        other: 0,
        flaky,
        suites: files.length,
        start: startedAt,
        stop: startedAt + Math.round(duration),
        extra: { notRun },
      },
      tests: files.flatMap((file) => file.cases.map((one) => toTest(one, file))),
    },
  };
  return `${toVisibleJson(JSON.stringify(report, undefined, 1))}\n`;
}

function toTest(one: CaseResult, file: FileResult): object {
  const { name, tags, place, startedAt, duration, problems, earlier, printed } = one;
  const milliseconds = Math.round(duration);
  return {
    name,
    status: problems.length === 0 ? "passed" : "failed",
    rawStatus: statusOf(one),
    duration: milliseconds,
    start: startedAt,
    stop: startedAt + milliseconds,
    suite: [titleOf(file)],
    filePath: place.file,
    line: place.line,
    tags,
    ...(problems.length > 0 && { message: messagesOf(problems), trace: describeProblems(one) }),
    ...(earlier.length > 0 && {
      retries: earlier.length,
      flaky: isFlaky(one),
      retryAttempts: earlier.map((attempt, index) => ({
        attempt: index + 1,
        status: "failed",
        message: messagesOf(attempt),
        trace: describeProblems({ problems: attempt }),
      })),
    }),
    ...(printed !== "" && { stdout: printed.split("\n") }),
    extra: {
      ...(file.row === undefined ? {} : { row: file.row }),
      ...(place.cell === undefined ? {} : { cell: place.cell }),
      assertions: one.assertions,
      exchanges: one.exchanges.map(({ html: _html, ...exchange }) => exchange),
    },
  };
}
