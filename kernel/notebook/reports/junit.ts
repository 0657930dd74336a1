import {
  type CaseResult,
  countCases,
  describeExchanges,
  describeProblems,
  type FileResult,
  isFlaky,
  type Problem,
  type SuiteResult,
  statusOf,
  titleOf,
} from "../results/mod.ts";
import { attributes, escapeMarkup } from "./escape-markup.ts";

/**
 * Renders results as JUnit XML: a suite for each file, a case for each cell. Attempts before the last one are written
 * as Maven Surefire writes them.
 */
export function renderJunit({ files, duration }: SuiteResult): string {
  const { cases, failed, errors, notRun } = countCases(files);
  const totals = { tests: cases + notRun, failures: failed, errors, time: seconds(duration) };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "restlab", ...totals })}>`,
    ...files.flatMap(renderFile),
    "</testsuites>\n",
  ].join("\n");
}

function renderFile(file: FileResult): readonly string[] {
  const { cases, failed, errors, notRun } = countCases([file]);
  const head = attributes({
    name: titleOf(file),
    tests: cases + notRun,
    failures: failed,
    errors,
    skipped: notRun,
    time: seconds(file.duration),
    timestamp: new Date(file.startedAt).toISOString().slice(0, 19),
    file: file.path,
  });
  // A consumer counts the cases itself.
  const skipped = Array.from({ length: notRun }, (_, index) => {
    const name = attributes({ name: `not run ${index + 1}`, classname: titleOf(file) });
    return `<testcase${name}><skipped message="The run was ended before"/></testcase>`;
  });
  const body = [...file.cases.map((one) => renderCase(one, file)), ...skipped];
  return [`<testsuite${head}>`, ...body, "</testsuite>"];
}

function renderCase(one: CaseResult, file: FileResult): string {
  const { name, place, duration, problems, earlier, printed } = one;
  const head = attributes({
    name,
    classname: titleOf(file),
    file: place.file,
    line: place.line,
    time: seconds(duration),
  });
  const attempts = earlier.map((attempt) =>
    renderProblem(isFlaky(one) ? "flaky" : "rerun", attempt),
  );
  const content = [
    ...(problems.length === 0 ? [] : [renderFailure(one)]),
    ...attempts,
    ...(printed === "" ? [] : [`<system-out>${escapeMarkup(printed)}</system-out>`]),
  ];
  if (content.length === 0) return `<testcase${head}/>`;
  return [`<testcase${head}>`, ...content, "</testcase>"].join("\n");
}

/** One element with all that failed, and what was sent and received. */
function renderFailure(one: CaseResult): string {
  const element = statusOf(one) === "error" ? "error" : "failure";
  const head = attributes({ message: messageOf(one.problems), type: one.problems[0]?.kind });
  const texts = [describeProblems(one), describeExchanges(one)].filter((text) => text !== "");
  return `<${element}${head}>${escapeMarkup(texts.join("\n\n"))}</${element}>`;
}

function renderProblem(kind: "flaky" | "rerun", problems: readonly Problem[]): string {
  const element = `${kind}${statusOf({ problems }) === "error" ? "Error" : "Failure"}`;
  const head = attributes({ message: messageOf(problems), type: problems[0]?.kind });
  return `<${element}${head}>${escapeMarkup(describeProblems({ problems }))}</${element}>`;
}

function messageOf(problems: readonly Problem[]): string {
  const [first, ...more] = problems.map(({ message }) => message);
  return `${first}${more.length === 0 ? "" : ` (and ${more.length} more)`}`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
