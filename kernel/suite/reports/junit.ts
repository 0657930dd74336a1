import {
  type JunitCase,
  type JunitElement,
  type JunitSuite,
  writeJunit,
} from "../../reports/mod.ts";
import {
  type CaseResult,
  describeExchanges,
  describeProblems,
  type FileResult,
  isFlaky,
  type Problem,
  type SuiteResult,
  statusOf,
  titleOf,
  warningsOf,
} from "../results/mod.ts";

/** Renders results as JUnit XML: a suite for each file, a case for each cell. */
export function renderJunit({ files, duration }: SuiteResult): string {
  return writeJunit({ name: "restlab", duration, suites: files.map(toSuite) });
}

function toSuite(file: FileResult): JunitSuite {
  const { path, startedAt, duration, cases, notRun } = file;
  const message = "The run was ended before";
  const skipped = Array.from({ length: notRun }, (_, index) => ({
    name: `not run ${index + 1}`,
    elements: [{ tag: "skipped", message } as const],
  }));
  const all = [...cases.map(toCase), ...skipped];
  return { name: titleOf(file), file: path, startedAt, duration, cases: all };
}

function toCase(one: CaseResult): JunitCase {
  const { name, place, duration, problems, earlier, printed } = one;
  const warnings = warningsOf(one);
  const attempts = earlier.map((attempt) =>
    toElement(attempt, describeProblems({ problems: attempt }), isFlaky(one) ? "flaky" : "rerun"),
  );
  // One element with all that failed, and what was sent and received.
  const failure = [describeProblems(one), describeExchanges(one)].filter((text) => text !== "");
  const elements = [
    ...(problems.length === 0 ? [] : [toElement(problems, failure.join("\n\n"))]),
    ...attempts,
    ...(printed === "" ? [] : [{ tag: "system-out", text: printed } as const]),
    ...(warnings.length === 0 ? [] : [{ tag: "system-err", text: warnings.join("\n") } as const]),
  ];
  return { name, file: place.file, line: place.line, duration, elements };
}

function toElement(
  problems: readonly Problem[],
  text: string,
  attempt?: "flaky" | "rerun",
): JunitElement {
  const isError = statusOf({ problems }) === "error";
  const tag = isError ? "error" : "failure";
  return {
    tag: attempt === undefined ? tag : `${attempt}${isError ? "Error" : "Failure"}`,
    type: problems[0]?.kind,
    message: messageOf(problems),
    text,
  };
}

function messageOf(problems: readonly Problem[]): string {
  const [first, ...more] = problems.map(({ message }) => message);
  return `${first}${more.length === 0 ? "" : ` (and ${more.length} more)`}`;
}
