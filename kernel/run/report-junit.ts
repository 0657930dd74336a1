import { escapeHtml } from "../../lib/display/mod.ts";
import type { ReportForm } from "./reports.ts";
import {
  type CaseResult,
  describeExchanges,
  describeProblems,
  describeSkip,
  type FileResult,
  isFlaky,
  type Problem,
  statusOf,
  titleOf,
  warningsOf,
} from "./results.ts";

/** JUnit XML: a suite for each file, a case for each cell. The counts of all are not known at its start. */
export function createJunit(): ReportForm {
  return {
    begin: () => openSuites({ name: "restlab" }),
    file: (file) => writeSuite(toSuite(file)),
    end: () => CLOSING,
  };
}

function toSuite(file: FileResult): JunitSuite {
  const { path, startedAt, duration, cases } = file;
  return { name: titleOf(file), file: path, startedAt, duration, cases: cases.map(toCase) };
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
    ...(one.skipped === undefined ? [] : [{ tag: "skipped", message: describeSkip(one) } as const]),
    ...(problems.length === 0 ? [] : [toElement(problems, failure.join("\n\n"))]),
    ...attempts,
    ...(printed === "" ? [] : [{ tag: "system-out", text: printed } as const]),
    ...(warnings.length === 0 ? [] : [{ tag: "system-err", text: warnings.join("\n") } as const]),
  ];
  return { name, file: place.file, line: place.line, duration, elements };
}

/** The element of problems, which are at least one. */
export function toElement(
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

/** A suite of JUnit XML. */
interface JunitSuite {
  readonly name: string;
  readonly file?: string;
  /** When it was started, in milliseconds since 1970. */
  readonly startedAt?: number;
  /** In milliseconds. */
  readonly duration?: number;
  readonly cases: readonly JunitCase[];
}

/** A case of JUnit XML. */
export interface JunitCase {
  readonly name: string;
  readonly file?: string;
  readonly line?: number | undefined;
  /** In milliseconds. */
  readonly duration?: number;
  /** What is known of its result; nothing for a case that passed. */
  readonly elements: readonly JunitElement[];
}

/** An element in a case. */
export interface JunitElement {
  /** The last four are those of Maven Surefire, for attempts before the last one. */
  readonly tag:
    | "failure"
    | "error"
    | "skipped"
    | "system-out"
    | "system-err"
    | `${"flaky" | "rerun"}${"Failure" | "Error"}`;
  readonly type?: string | undefined;
  readonly message?: string;
  readonly text?: string;
}

/** Writes JUnit XML in the form that Jenkins and GitLab read. */
export function writeJunit(name: string, suites: readonly JunitSuite[]): string {
  const head = openSuites({ name, ...countsOf(suites.flatMap(({ cases }) => cases)) });
  return `${head}${suites.map(writeSuite).join("")}${CLOSING}`;
}

function openSuites(values: Parameters<typeof attributes>[0]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes(values)}>\n`;
}

const CLOSING = "</testsuites>\n";

function writeSuite({ name, file, startedAt, duration, cases }: JunitSuite): string {
  const head = attributes({
    name,
    ...countsOf(cases),
    time: seconds(duration),
    timestamp: startedAt === undefined ? undefined : new Date(startedAt).toISOString().slice(0, 19),
    file,
  });
  const lines = [`<testsuite${head}>`, ...cases.map((one) => writeCase(one, name))];
  return `${lines.join("\n")}\n</testsuite>\n`;
}

// A consumer counts the cases itself, so the numbers come from what it finds.
function countsOf(cases: readonly JunitCase[]): Readonly<Record<string, number>> {
  const count = (tag: JunitElement["tag"]): number =>
    cases.filter(({ elements }) => elements.some((one) => one.tag === tag)).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

function writeCase({ name, file, line, duration, elements }: JunitCase, classname: string): string {
  const head = attributes({ name, classname, file, line, time: seconds(duration) });
  if (elements.length === 0) return `<testcase${head}/>`;
  return [`<testcase${head}>`, ...elements.map(writeElement), "</testcase>"].join("\n");
}

function writeElement({ tag, type, message, text }: JunitElement): string {
  const head = attributes({ type, message });
  return text === undefined ? `<${tag}${head}/>` : `<${tag}${head}>${escapeMarkup(text)}</${tag}>`;
}

function seconds(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : (milliseconds / 1000).toFixed(3);
}

/** Characters that XML 1.0 does not allow, not even as references; a report shows them as `\ufffd`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const REFUSED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** What one reader or another takes for a line break. */
const BREAK = /\r\n?|[\n\u0085\u2028\u2029]/g;

/**
 * Escapes a text for XML and HTML, in elements and in quoted attributes. Its line breaks are references to LF, so
 * that no line of a report begins with a text from elsewhere: a CI system could take it for a command.
 */
export function escapeMarkup(text: string): string {
  return escapeHtml(text.replace(REFUSED, "\ufffd")).replace(BREAK, "&#10;");
}

/** Writes attributes; those without a value are left out. */
function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [` ${name}="${escapeMarkup(String(value))}"`],
    )
    .join("");
}
