import { attributes, escapeMarkup } from "./escape-markup.ts";

/** A suite of JUnit XML. */
export interface JunitSuite {
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
export function writeJunit({
  name,
  duration,
  suites,
}: {
  readonly name: string;
  readonly duration?: number;
  readonly suites: readonly JunitSuite[];
}): string {
  const cases = suites.flatMap((suite) => suite.cases);
  const head = attributes({ name, ...countsOf(cases), time: seconds(duration) });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...suites.flatMap(writeSuite),
    "</testsuites>\n",
  ].join("\n");
}

function writeSuite({ name, file, startedAt, duration, cases }: JunitSuite): readonly string[] {
  const head = attributes({
    name,
    ...countsOf(cases),
    time: seconds(duration),
    timestamp: startedAt === undefined ? undefined : new Date(startedAt).toISOString().slice(0, 19),
    file,
  });
  return [`<testsuite${head}>`, ...cases.map((one) => writeCase(one, name)), "</testsuite>"];
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
