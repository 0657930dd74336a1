import type { OutputStream, Platform } from "../platform/mod.ts";
import { createProgress, createTerminalPrinter, type Progress } from "../terminal/mod.ts";
import { toLogText } from "./reports.ts";
import {
  countCases,
  describeCounts,
  describePlace,
  describeSkip,
  describeTries,
  type FileResult,
  isFlaky,
  type SuiteResult,
  shorten,
  titleOf,
  warningsOf,
} from "./results.ts";

/** A run of a document that has not ended. */
interface RunningFile {
  /** How many of its cells have ended and failed, and the one that is running. */
  readonly progress: { readonly done: number; readonly failed: number; readonly cell: string };
}

/** Shows a suite at the terminal: a line of progress, a line for each file, and the summary. */
export class SuiteTerminal {
  readonly #stdout: OutputStream;
  readonly #progress: Progress;
  readonly #running = new Set<RunningFile>();
  readonly #startedAt = performance.now();
  readonly #notes: SummaryLine[] = [];
  #done = 0;
  #failed = 0;

  /** @param streams The progress goes to standard error, so that a pipe does not get it. */
  constructor({ stdout, stderr }: Pick<Platform, "stdout" | "stderr">) {
    this.#stdout = stdout;
    this.#progress = createProgress(stderr);
    const time = (): string => `${((performance.now() - this.#startedAt) / 1000).toFixed(1)} s`;
    this.#progress.start(() => this.#describe(), time);
  }

  fileStarted(file: RunningFile): void {
    this.#running.add(file);
  }

  fileEnded(file: RunningFile): void {
    const { done, failed } = file.progress;
    this.#done += done;
    this.#failed += failed;
    this.#running.delete(file);
  }

  /** Prints the result of a file; called in the order of the files. */
  file(result: FileResult): void {
    this.#notes.push(...noteLines(result));
    this.#print([fileLine(result)]);
  }

  stop(): void {
    this.#progress.stop();
  }

  end(suite: SuiteResult): void {
    this.stop();
    const notes = this.#notes.length === 0 ? [] : [{ text: "" }, ...this.#notes, { text: "" }];
    this.#print([...notes, totalLine(suite)]);
  }

  #print(lines: readonly SummaryLine[]): void {
    this.#progress.clear();
    const printer = createTerminalPrinter(this.#stdout);
    const colors = { passed: "Successful", failed: "Client error" } as const;
    for (const { text, status } of lines) {
      printer.line(
        toLogText(text.replaceAll("\n", "␊")),
        status === undefined ? undefined : colors[status],
      );
    }
  }

  #describe(): string {
    const running = [...this.#running].map(({ progress }) => progress);
    const sum = (count: (one: RunningFile["progress"]) => number): number =>
      running.reduce((total, one) => total + count(one), 0);
    const done = this.#done + sum((one) => one.done);
    const failed = this.#failed + sum((one) => one.failed);
    const cells = running.map(({ cell }) => cell).join(", ");
    return `${done} done, ${failed} failed: ${cells}`;
  }
}

/** A line of text, and whether it is about something that passed or failed. */
interface SummaryLine {
  readonly text: string;
  readonly status?: "passed" | "failed";
}

/** The line of a file whose run has ended. */
function fileLine(file: FileResult): SummaryLine {
  const counts = countCases([file]);
  const { cases, passed } = counts;
  const failed = cases - passed;
  const text = `${titleOf(file)}: ${describeCounts(counts)}, ${Math.round(file.duration)} ms`;
  if (failed > 0) return { text: `FAIL ${text}`, status: "failed" };
  if (cases === 0) return { text: `SKIP ${text}` };
  return { text: `PASS ${text}`, status: "passed" };
}

/** What the end of a suite says of a file: its failures with their places, what was flaky, and its warnings. */
function noteLines(file: FileResult): readonly SummaryLine[] {
  return [...failures(file), ...flakyLines(file), ...skippedLines(file), ...warningLines(file)];
}

function totalLine({ counts, duration, isEmpty }: SuiteResult): SummaryLine {
  const totals = [
    describeCounts(counts),
    plural(counts.assertions, "assertion"),
    plural(counts.files, "file"),
    `${(duration / 1000).toFixed(1)} s`,
  ];
  const isFailed = isEmpty || counts.passed < counts.cases;
  return { text: totals.join(", "), status: isFailed ? "failed" : "passed" };
}

function failures(file: FileResult): readonly SummaryLine[] {
  return file.cases.flatMap(({ name, problems, printed, exchanges }) => {
    if (problems.length === 0) return [];
    const title = withRow(name, file);
    return [
      ...problems.flatMap(({ details, place }) => [
        { text: `${describePlace(place)} ${title}`, status: "failed" as const },
        ...quoted(details),
      ]),
      ...describeTries({ exchanges }).flatMap(quoted),
      ...(printed === ""
        ? []
        : [{ text: "  Printed:" }, ...quoted(shorten(printed.trimEnd(), MAX_PRINTED))]),
    ];
  });
}

function flakyLines(file: FileResult): readonly SummaryLine[] {
  return file.cases.filter(isFlaky).map(({ name, place, earlier }) => {
    const reason = earlier[0]?.[0]?.message ?? "";
    const attempt = `passed on attempt ${earlier.length + 1}`;
    return { text: `${describePlace(place)} ${withRow(name, file)}: flaky, ${attempt}; ${reason}` };
  });
}

function skippedLines(file: FileResult): readonly SummaryLine[] {
  const skipped = file.cases.filter((one) => one.skipped !== undefined);
  return skipped.map((one) => ({
    text: `${describePlace(one.place)} ${withRow(one.name, file)}: skipped, ${describeSkip(one)}`,
  }));
}

/** A script that is not run could have failed the case. */
function warningLines(file: FileResult): readonly SummaryLine[] {
  return file.cases.flatMap((one) =>
    warningsOf(one).map((warning) => ({
      text: `${describePlace(one.place)} ${withRow(one.name, file)}: warning: ${warning}`,
    })),
  );
}

function withRow(name: string, { row }: FileResult): string {
  return row === undefined ? name : `${name} [row ${row}]`;
}

/** Behind a rule: a CI system could take a line that begins with a text of an answer for a command. */
function quoted(text: string): readonly SummaryLine[] {
  return text.split(/\r?\n/).map((line) => ({ text: `  │ ${line}` }));
}

const MAX_PRINTED = 1_000;

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
